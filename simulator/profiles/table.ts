import { didYouMean } from '#lib/text.ts';
import type { Axes } from './axes.ts';
import { backup2023 } from './backup-2023.ts';
import { type Dialect, NATIVE, profileOf } from './dialect.ts';
import { FAULTY_PAGING } from './faulty-paging.ts';
import { hostileData } from './hostile-data.ts';
import type { Profile } from './profile.ts';

/** Every profile that has a name of its own. */
export const PROFILES: readonly Profile[] = [
  /** Bare arrays for signage, `{result, data}` for backup: the only dialect with recorded answers. */
  profileOf({
    name: 'reference',
    signage: NATIVE,
    backup: { ...NATIVE, envelope: 'result-data' },
    shapes: { app_groups: 'list', pending_file_transfers: 'list', backup_pricing: 'tree' },
  }),
  backup2023,
  /** The backup API's own way of pages, for everything and always. */
  alike({
    name: 'paged-standard',
    axes: { ...NATIVE, envelope: 'result-data', paging: 'page' },
    shapes: { app_groups: 'list', pending_file_transfers: 'list', backup_pricing: 'list' },
  }),
  /** OData 4: `{value, "@odata.nextLink"}`, no total; some links absolute, some relative. */
  profileOf({
    name: 'odata',
    signage: { ...NATIVE, envelope: 'value', paging: 'odata', absent: 'null' },
    backup: { ...NATIVE, envelope: 'value', paging: 'odata' },
    shapes: { app_groups: 'tree', pending_file_transfers: 'list', backup_pricing: 'list' },
    errors: 'odata',
  }),
  /** `{items, totalItemCount, isTruncated, nextMarker}`, as of a sister product's API. */
  alike({
    name: 'marker',
    axes: { ...NATIVE, envelope: 'items', paging: 'marker' },
    shapes: { app_groups: 'list', pending_file_transfers: 'tree', backup_pricing: 'tree' },
  }),
  /** `{data, cursor, hasMore}`, without a total. */
  alike({
    name: 'cursor',
    axes: { ...NATIVE, envelope: 'data', paging: 'cursor' },
    shapes: { app_groups: 'map', pending_file_transfers: 'list', backup_pricing: 'tree' },
  }),
  /** `{items, total, limit, skip}`. */
  alike({
    name: 'limit-skip',
    axes: { ...NATIVE, envelope: 'items', paging: 'limit-skip', absent: 'null' },
    shapes: { app_groups: 'tree', pending_file_transfers: 'list', backup_pricing: 'list' },
  }),
  /** Bare arrays, and a Link header as of RFC 8288 where there are further pages. */
  alike({
    name: 'link-header',
    axes: { ...NATIVE, paging: 'link-header' },
    shapes: { app_groups: 'list', pending_file_transfers: 'map', backup_pricing: 'list' },
  }),
  /** WCF of 2010: `{"d":{"results":[…]}}`, `/Date(ms+0100)/`, "True", GUIDs. */
  alike({
    name: 'legacy-dotnet',
    axes: {
      ...NATIVE,
      envelope: 'd-results',
      id: 'guid',
      absent: 'null',
      dates: 'dotnet',
      booleans: 'capital',
      keys: 'pascal',
    },
    shapes: { app_groups: 'list', pending_file_transfers: 'list', backup_pricing: 'list' },
    errors: 'message',
  }),
  /** camelCase below the resource's own name, and Berlin's local time without a zone. */
  alike({
    name: 'camel-local',
    axes: { ...NATIVE, envelope: 'resource-named', keys: 'camel', dates: 'local' },
    shapes: { app_groups: 'list', pending_file_transfers: 'list', backup_pricing: 'tree' },
  }),
  /** Django REST framework: `{results, count, next, previous}`, snake_case, GUIDs, problem+json. */
  alike({
    name: 'guid-drf',
    axes: {
      ...NATIVE,
      envelope: 'results',
      id: 'guid',
      keys: 'snake',
      absent: 'null',
      dates: 'offset',
      paging: 'next',
    },
    shapes: { app_groups: 'tree', pending_file_transfers: 'tree', backup_pricing: 'list' },
    errors: 'problem',
  }),
  /** Every listing is an object of records by their id; the records have it too. */
  alike({
    name: 'keyed-map',
    axes: { ...NATIVE, envelope: 'keyed-map' },
    shapes: { app_groups: 'map', pending_file_transfers: 'map', backup_pricing: 'map' },
  }),
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
function alike({ axes, ...rest }: Omit<Dialect, 'signage' | 'backup'> & { readonly axes: Axes }): Profile {
  return profileOf({ ...rest, signage: axes, backup: axes });
}
