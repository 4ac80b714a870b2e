import type { Axes } from './axes.ts';
import { NATIVE, profileOf } from './dialect.ts';

const AXES: Axes = { ...NATIVE, paging: 'link-header' };

/** Bare arrays, and a Link header as of RFC 8288 where there are further pages. */
export const linkHeader = profileOf({
  name: 'link-header',
  signage: AXES,
  backup: AXES,
  shapes: { app_groups: 'list', pending_file_transfers: 'map', backup_pricing: 'list' },
});
