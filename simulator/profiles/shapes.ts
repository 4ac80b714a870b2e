import { type Json, type JsonObject, omitUndefined } from '../json.ts';
import type { ServedResource } from '../kind.ts';
import { arrayListing, type Listing, mappedListing, recordsOf } from '../world/listing.ts';
import type { Axes } from './axes.ts';
import { FIELDS, type Fields, GROUP_NODE, PRICE_ROW, TRANSFERS_NODE } from './fields.ts';
import { leavesRecords, recordWriter } from './record-writer.ts';
import { keyIn } from './values.ts';

/** How a listing holds its records. `tree`: records lie in records. `map`: an object has them by their key. */
export type Shape = 'list' | 'tree' | 'map';

/** The resources with answers that nobody has published: an export must be ready for each shape. */
type ShapedResource = 'app_groups' | 'pending_file_transfers' | 'backup_pricing';
export type Shapes = Readonly<Record<ShapedResource, Shape>>;

export function shapeOf(resource: ServedResource, shapes: Shapes): Shape {
  return resource in shapes ? shapes[resource as ShapedResource] : 'list';
}

/** The listing with its records as the dialect writes them. */
export function shaped(listing: Listing, axes: Axes, shapes: Shapes): Listing {
  const { resource } = listing;
  const shape = shapeOf(resource, shapes);
  if (resource === 'backup_pricing' && shape !== 'tree') {
    const write = recordWriter(resource, PRICE_ROW, axes);
    return arrayListing(listing, [...recordsOf(listing)].flatMap(priceRows).map(write));
  }
  const write = recordWriter(resource, FIELDS[resource], axes);
  if (resource === 'app_groups' && shape === 'tree')
    return arrayListing(listing, groupTree(listing, axes, write));
  if (resource === 'pending_file_transfers' && shape === 'tree')
    return arrayListing(listing, byPriority(listing, axes, write));
  if (leavesRecords(axes)) return listing;
  return mappedListing(listing, write);
}

/** The keys that the records may have in these shapes. */
export function fieldsOf(resource: ServedResource, shapes: Shapes): Fields {
  const shape = shapeOf(resource, shapes);
  if (resource === 'backup_pricing') return shape === 'tree' ? FIELDS.backup_pricing : PRICE_ROW;
  if (shape !== 'tree') return FIELDS[resource];
  return resource === 'app_groups' ? GROUP_NODE : TRANSFERS_NODE;
}

/** The prices of the nested list as rows: plans, storage, tiers, options. */
function priceRows({ currency, is_vat_included, valid_from, ...pricing }: JsonObject): JsonObject[] {
  const row = (code: string, name: Json | undefined, own: JsonObject): JsonObject =>
    omitUndefined({
      ...{ code, name, price: null, currency, unit: 'gb', periodicity: null, from_gb: null, to_gb: null },
      ...{ is_vat_included, valid_from, ...own },
    });
  const of = (list: Json | undefined) => Object.entries(list as JsonObject) as [string, JsonObject][];
  return [
    ...of(pricing.plans).map(([, { id, name, price = null, periodicity = null }]) =>
      row(`plan.${id}`, name, { price, unit: 'plan', periodicity }),
    ),
    ...of(pricing.storage).map(([name, { price_per_gb: price = null }]) =>
      row(`storage.${name}`, name, { price }),
    ),
    ...of(pricing.tiers).map(([i, { price_per_gb: price = null, from_gb = null, to_gb = null }]) =>
      row(`tier.${Number(i) + 1}`, `Stufe ${Number(i) + 1}`, { price, from_gb, to_gb }),
    ),
    ...of(pricing.options).map(([name, { price = null }]) =>
      row(`option.${name}`, name, { price, unit: 'piece' }),
    ),
  ];
}

/** The roots, each with its groups below it. */
function groupTree(listing: Listing, axes: Axes, write: (record: JsonObject) => JsonObject): JsonObject[] {
  const records = [...recordsOf(listing)];
  const below = (parent: Json | undefined): JsonObject[] =>
    records
      .filter((record) => record.ParentId === parent)
      .map((record) => ({ ...write(record), [keyIn('Children', axes.keys)]: below(record.Id) }));
  return below(undefined);
}

/** One record for each priority, with its transfers in it. */
function byPriority(listing: Listing, axes: Axes, write: (record: JsonObject) => JsonObject): JsonObject[] {
  const groups = Map.groupBy(recordsOf(listing), (record) => String(record.Priority));
  const writeNode = recordWriter('pending_file_transfers', TRANSFERS_NODE, axes);
  return [...groups].map(([priority, records]) =>
    writeNode({ Priority: priority, Count: records.length, Transfers: records.map(write) }),
  );
}
