import type { Axes } from './axes.ts';
import { NATIVE, profileOf } from './dialect.ts';

const AXES: Axes = {
  ...NATIVE,
  envelope: 'd-results',
  id: 'guid',
  absent: 'null',
  dates: 'dotnet',
  booleans: 'capital',
};

/** WCF of 2010: `{"d":{"results":[…]}}`, `/Date(ms+0100)/`, "True", GUIDs. */
export const legacyDotnet = profileOf({
  name: 'legacy-dotnet',
  signage: { ...AXES, keys: 'pascal' },
  backup: { ...AXES, keys: 'pascal' },
  shapes: { app_groups: 'list', pending_file_transfers: 'list', backup_pricing: 'list' },
  errors: 'message',
});
