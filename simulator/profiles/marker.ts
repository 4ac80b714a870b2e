import type { Axes } from './axes.ts';
import { NATIVE, profileOf } from './dialect.ts';

const AXES: Axes = { ...NATIVE, envelope: 'items', paging: 'marker' };

/** `{items, totalItemCount, isTruncated, nextMarker}`, as of a sister product's API. */
export const marker = profileOf({
  name: 'marker',
  signage: AXES,
  backup: AXES,
  shapes: { app_groups: 'list', pending_file_transfers: 'tree', backup_pricing: 'tree' },
});
