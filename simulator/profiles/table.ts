import { didYouMean } from '#lib/text.ts';
import type { Axes } from './axes.ts';
import { backup2023 } from './backup-2023.ts';
import { profileOf } from './dialect.ts';
import { FAULTY_PAGING } from './faulty-paging.ts';
import { hostileData } from './hostile-data.ts';
import type { DialectRow, Profile } from './profile.ts';

/** Every profile that has a name of its own. */
export const PROFILES: readonly Profile[] = [
  /** Bare arrays for signage, `{result, data}` for backup: the only dialect with recorded answers. */
  profileOf({
    name: 'reference',
    signage: {},
    backup: { envelope: 'result-data' },
    shapes: { backup_pricing: 'tree' },
  }),
  backup2023,
  /** The backup API's own way of pages, for everything and always. */
  alike({ name: 'paged-standard' }, { envelope: 'result-data', paging: 'page' }),
  /** OData 4: `{value, "@odata.nextLink"}`, no total; some links absolute, some relative. */
  profileOf({
    name: 'odata',
    signage: { envelope: 'value', paging: 'odata', absent: 'null' },
    backup: { envelope: 'value', paging: 'odata' },
    shapes: { app_groups: 'tree' },
    errors: 'odata',
  }),
  /** `{items, totalItemCount, isTruncated, nextMarker}`, as of a sister product's API. */
  alike(
    { name: 'marker', shapes: { pending_file_transfers: 'tree', backup_pricing: 'tree' } },
    { envelope: 'items', paging: 'marker' },
  ),
  /** `{data, cursor, hasMore}`, without a total. */
  alike(
    { name: 'cursor', shapes: { app_groups: 'map', backup_pricing: 'tree' } },
    { envelope: 'data', paging: 'cursor' },
  ),
  /** `{items, total, limit, skip}`. */
  alike(
    { name: 'limit-skip', shapes: { app_groups: 'tree' } },
    { envelope: 'items', paging: 'limit-skip', absent: 'null' },
  ),
  /** Bare arrays, and a Link header as of RFC 8288 where there are further pages. */
  alike({ name: 'link-header', shapes: { pending_file_transfers: 'map' } }, { paging: 'link-header' }),
  /** WCF of 2010: `{"d":{"results":[…]}}`, `/Date(ms+0100)/`, "True", GUIDs. */
  alike(
    { name: 'legacy-dotnet', errors: 'message' },
    {
      envelope: 'd-results',
      id: 'guid',
      absent: 'null',
      dates: 'dotnet',
      booleans: 'capital',
      keys: 'pascal',
    },
  ),
  /** camelCase below the resource's own name, and Berlin's local time without a zone. */
  alike(
    { name: 'camel-local', shapes: { backup_pricing: 'tree' } },
    { envelope: 'resource-named', keys: 'camel', dates: 'local' },
  ),
  /** Django REST framework: `{results, count, next, previous}`, snake_case, GUIDs, problem+json. */
  alike(
    { name: 'guid-drf', shapes: { app_groups: 'tree', pending_file_transfers: 'tree' }, errors: 'problem' },
    { envelope: 'results', id: 'guid', keys: 'snake', absent: 'null', dates: 'offset', paging: 'next' },
  ),
  /** Every listing is an object of records by their id; the records have it too. */
  alike(
    {
      name: 'keyed-map',
      shapes: { app_groups: 'map', pending_file_transfers: 'map', backup_pricing: 'map' },
    },
    { envelope: 'keyed-map' },
  ),
  hostileData,
  ...FAULTY_PAGING,
];

/** The profile of that name. Throws an error with the known names. */
export function profileNamed(name: string): Profile {
  const found = PROFILES.find((each) => each.name === name);
  if (found !== undefined) return found;
  const known = PROFILES.map((profile) => profile.name);
  const cure = didYouMean(name, { known, otherwise: `known are ${known.join(', ')}` });
  throw new Error(`profile '${name}' is unknown; ${cure}`);
}

/** A dialect in which both APIs answer alike. */
function alike(row: Omit<DialectRow, 'signage' | 'backup'>, axes: Partial<Axes>): Profile {
  return profileOf({ ...row, signage: axes, backup: axes });
}
