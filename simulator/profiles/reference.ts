import { NATIVE, profileOf } from './dialect.ts';

/** Bare arrays for signage, `{result, data}` for backup: the only dialect of which recorded answers exist. */
export const reference = profileOf({
  name: 'reference',
  signage: NATIVE,
  backup: { ...NATIVE, envelope: 'result-data' },
  shapes: { app_groups: 'list', pending_file_transfers: 'list', backup_pricing: 'tree' },
});
