import type { Axes } from './axes.ts';
import { NATIVE, profileOf } from './dialect.ts';

const AXES: Axes = {
  ...NATIVE,
  envelope: 'results',
  id: 'guid',
  keys: 'snake',
  absent: 'null',
  dates: 'offset',
  paging: 'next',
};

/** Django REST framework: `{results, count, next, previous}`, snake_case, GUIDs, problem+json. */
export const guidDrf = profileOf({
  name: 'guid-drf',
  signage: AXES,
  backup: AXES,
  shapes: { app_groups: 'tree', pending_file_transfers: 'tree', backup_pricing: 'list' },
  errors: 'problem',
});
