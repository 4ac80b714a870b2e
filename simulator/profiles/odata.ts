import type { Axes } from './axes.ts';
import { NATIVE, profileOf } from './dialect.ts';

const AXES: Axes = { ...NATIVE, envelope: 'value', paging: 'odata' };

/** OData 4: `{value, "@odata.nextLink"}`, no total; some links absolute, some relative. */
export const odata = profileOf({
  name: 'odata',
  signage: { ...AXES, absent: 'null' },
  backup: AXES,
  shapes: { app_groups: 'tree', pending_file_transfers: 'list', backup_pricing: 'list' },
  errors: 'odata',
});
