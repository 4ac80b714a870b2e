import type { Axes } from './axes.ts';
import { NATIVE, profileOf } from './dialect.ts';

const AXES: Axes = { ...NATIVE, envelope: 'data', paging: 'cursor' };

/** `{data, cursor, hasMore}`, without a total. */
export const cursor = profileOf({
  name: 'cursor',
  signage: AXES,
  backup: AXES,
  shapes: { app_groups: 'map', pending_file_transfers: 'list', backup_pricing: 'tree' },
});
