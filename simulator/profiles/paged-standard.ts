import type { Axes } from './axes.ts';
import { NATIVE, profileOf } from './dialect.ts';

const AXES: Axes = { ...NATIVE, envelope: 'result-data', paging: 'page' };

/** The backup API's own way of pages, for everything and always. */
export const pagedStandard = profileOf({
  name: 'paged-standard',
  signage: AXES,
  backup: AXES,
  shapes: { app_groups: 'list', pending_file_transfers: 'list', backup_pricing: 'list' },
});
