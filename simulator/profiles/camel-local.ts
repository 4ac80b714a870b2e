import type { Axes } from './axes.ts';
import { NATIVE, profileOf } from './dialect.ts';

const AXES: Axes = { ...NATIVE, envelope: 'resource-named', keys: 'camel', dates: 'local' };

/** camelCase below the resource's own name, and Berlin's local time without a zone. */
export const camelLocal = profileOf({
  name: 'camel-local',
  signage: AXES,
  backup: AXES,
  shapes: { app_groups: 'list', pending_file_transfers: 'list', backup_pricing: 'tree' },
});
