import type { Axes } from './axes.ts';
import { NATIVE, profileOf } from './dialect.ts';

const AXES: Axes = { ...NATIVE, envelope: 'items', paging: 'limit-skip', absent: 'null' };

/** `{items, total, limit, skip}`. */
export const limitSkip = profileOf({
  name: 'limit-skip',
  signage: AXES,
  backup: AXES,
  shapes: { app_groups: 'tree', pending_file_transfers: 'list', backup_pricing: 'list' },
});
