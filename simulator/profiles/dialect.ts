import type { JsonObject } from '../json.ts';
import { kindOf, type ServedResource } from '../kind.ts';
import { ERRORS } from '../server/errors.ts';
import { type Route, routeOf } from '../server/routes.ts';
import { type Listing, recordsOf } from '../world/listing.ts';
import { type Answer, type Call, textAnswer } from './answer.ts';
import type { Axes } from './axes.ts';
import { envelopeOf, listText } from './envelopes.ts';
import { idsOf } from './ids.ts';
import { PAGINGS } from './pagings.ts';
import type { Dialect, DialectRow, Profile } from './profile.ts';
import { type Shape, type Shapes, shaped, shapeOf } from './shapes.ts';
import { keyIn } from './values.ts';

const NATIVE: Axes = {
  ...{ envelope: 'bare', paging: 'none', id: 'native', keys: 'native' },
  ...{ absent: 'native', dates: 'native', booleans: 'native', numbers: 'native' },
};

const LISTS: Shapes = { app_groups: 'list', pending_file_transfers: 'list', backup_pricing: 'list' };

const PAGE_SIZE = 50;

export function profileOf(row: DialectRow): Profile {
  const signage = { ...NATIVE, ...row.signage };
  const backup = { ...NATIVE, ...row.backup };
  const dialect: Dialect = { ...row, signage, backup, shapes: { ...LISTS, ...row.shapes } };
  return {
    name: dialect.name,
    route: routeOf,
    parentId: (route) => parentId(dialect, route),
    needsAccountId: () => true,
    error: ERRORS[dialect.errors ?? 'native'],
    served: (listing) => served(dialect, listing),
    text: dialect.text ?? JSON.stringify,
    dialect,
    render: (listing, call) => render(dialect, listing, call),
  };
}

function axesOf(dialect: Dialect, resource: ServedResource): Axes {
  return kindOf(resource) === 'backup' ? dialect.backup : dialect.signage;
}

function served(dialect: Dialect, listing: Listing): Listing {
  const truth = dialect.rewrite?.(listing) ?? listing;
  return shaped(truth, axesOf(dialect, listing.resource), dialect.shapes);
}

function parentId(dialect: Dialect, route: Route): number | undefined {
  if (route.parent === undefined) return undefined;
  return idsOf(axesOf(dialect, route.resource).id).read(
    route.kind === 'backup' ? 'backup_storages' : 'players',
    route.parent,
  );
}

function render(dialect: Dialect, listing: Listing, call: Call): Answer | undefined {
  const { resource } = listing;
  const axes = axesOf(dialect, resource);
  const shape = shapeOf(resource, dialect.shapes);
  const all = served(dialect, listing);
  const text = dialect.text ?? JSON.stringify;
  if (resource === 'backup_pricing' && shape === 'tree') return textAnswer(objectText(all, axes, text));
  const inMap = axes.envelope === 'keyed-map' || shape === 'map';
  const noRoom = inMap && axes.paging !== 'link-header';
  const paging = dialect.paging ?? PAGINGS[noRoom ? 'none' : axes.paging];
  const page = paging.asked(call.query, call.pageSize ?? PAGE_SIZE, all.count);
  if (page === undefined) return undefined;
  const records = all.page(page.offset, page.limit);
  const count = Math.min(page.limit, all.count);
  const headers = paging.headers?.(page, call);
  if (inMap) {
    const key = mapKey(resource, shape, axes);
    const entry = (record: JsonObject) => `${JSON.stringify(String(record[key]))}:${text(record)}`;
    return textAnswer(listText(records, count, { before: '{', after: '}', record: entry }), headers);
  }
  const around = envelopeOf(axes.envelope, resource, paging.fields(page, call));
  return textAnswer(listText(records, count, { ...around, record: text }), headers);
}

/** A price list as one object: below `data` in `{result, data}`, else as the whole body. */
function objectText(all: Listing, axes: Axes, text: (record: JsonObject) => string): string {
  const [record] = recordsOf(all);
  const object = text(record ?? {});
  return axes.envelope === 'result-data' ? `{"result":"success","data":${object}}` : object;
}

/** The field of a record that holds its key in the map. */
function mapKey(resource: ServedResource, shape: Shape, axes: Axes): string {
  if (resource === 'pending_file_transfers' && shape === 'tree') return keyIn('Priority', axes.keys);
  if (resource === 'licenses') return keyIn('Type', axes.keys);
  if (resource === 'backup_pricing') return keyIn('code', axes.keys);
  return keyIn(idsOf(axes.id).field(resource), axes.keys);
}
