import type { Axes } from './axes.ts';
import { NATIVE, profileOf } from './dialect.ts';

const AXES: Axes = { ...NATIVE, envelope: 'keyed-map' };

/** Every listing is an object of records by their id; the records have it too. */
export const keyedMap = profileOf({
  name: 'keyed-map',
  signage: AXES,
  backup: AXES,
  shapes: { app_groups: 'map', pending_file_transfers: 'map', backup_pricing: 'map' },
});
