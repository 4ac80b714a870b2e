import { hash } from '#simulator/dice.ts';
import type { JsonObject } from '#simulator/json.ts';
import { routeOf, SIGNAGE_BASE } from '#simulator/server/routes.ts';
import { membersOf, type Told } from './beside.ts';
import type { FleetDay } from './fleet.ts';
import { bare, type Form, type Said } from './forms/form.ts';
import { formNamed } from './forms/table.ts';
import { headersOf } from './harmless-headers.ts';
import type { Life, SourceLife } from './life.ts';
import { momentOf } from './records.ts';
import { type Cell, type Held, LISTINGS, PARENT_OF, spelled, type Table, type Truth } from './truth.ts';

/** What a life answers on a day. */
export interface Served {
  /** Returns the answer to a path with query; undefined where the API has no such path. */
  answer(url: string): Said | undefined;
}

export interface Serving {
  readonly life: Life;
  readonly day: number;
  readonly fleet: FleetDay;
  readonly origin: string;
}

/** The listing that a path asks for, and the path of its API. */
function placeOf(path: string) {
  const route = routeOf(path);
  if (!('resource' in route)) return undefined;
  const { kind, resource: table, parent = null } = route;
  const root = kind === 'signage' ? `${SIGNAGE_BASE}/v1.12` : `/${path.split('/')[1]}/backup`;
  return { kind, table, parent, root };
}

/** Serves one day of a life. */
export function serveDay({ life, day, fleet, origin }: Serving): Served {
  let calls = 0;
  const made = new Map<string, readonly JsonObject[]>();
  const byParent = new Map<Table, ReadonlyMap<number | null, readonly Held[]>>();
  const heldIn = (table: Table): ReadonlyMap<number | null, readonly Held[]> => {
    const found = byParent.get(table) ?? Map.groupBy(fleet.tables[table], ({ parent }) => parent);
    byParent.set(table, found);
    return found;
  };
  /** The number of the parent with that text; undefined where there is none. */
  const parentNumber = (table: Table, text: string, form: Form): number | undefined => {
    const parents = fleet.tables[table].map(({ record }) => Number(record['id']));
    return parents.find((id) => String(idOf(form, id)) === text);
  };
  return {
    answer: (url) => {
      const { pathname: path, searchParams: query } = new URL(url, origin);
      const place = placeOf(path);
      const source = life.sources.find(({ kind }) => kind === place?.kind);
      if (place === undefined || source === undefined) return undefined;
      const { table, parent, root } = place;
      const form = formNamed(source.form);
      const parentTable = PARENT_OF[table];
      const number =
        parent === null || parentTable === undefined ? null : parentNumber(parentTable, parent, form);
      if (number === undefined) return undefined;
      const records = heldIn(table).get(number) ?? [];
      const told: Told = {
        ...{ seed: life.seed, day, call: calls++, version: fleet.version },
        ...{ table, listing: LISTINGS[table], records },
      };
      const rows =
        made.get(path) ??
        records.map(({ record }, index) =>
          written(
            form,
            source.hasStates === true
              ? withState(record, hash(life.seed, 81, Number(record['id'] ?? index)))
              : record,
            {
              id: Number(record['id'] ?? index + 1),
              table,
              origin,
              path,
              root,
            },
          ),
        );
      made.set(path, rows);
      const isPaged = source.size > 0 && isPagedHere(source, table);
      const answer = isPaged || source.size === 0 ? form.answer : (form.plain ?? bare);
      const [row] = rows;
      const asked = {
        rows,
        keys: records.map(({ record }) => String(record['id'] ?? record['type'])),
        query,
        origin,
        path,
        root,
        table,
        size: source.size === 0 ? Math.max(1, rows.length) : source.size,
        facts: membersOf(sinceOf(source.beside, day), told),
      };
      const isOne = table === 'backup_pricing' && life.sizes.prices === 'object' && row !== undefined;
      const said = isOne && form.single !== undefined ? form.single(row) : answer(asked);
      const headers = {
        'content-type': form.type ?? 'application/json; charset=utf-8',
        date: new Date(momentOf(day) + calls).toUTCString(),
        ...headersOf(sinceOf(source.headers, day), told),
        ...said.headers,
      };
      return { ...said, headers };
    },
  };
}

function sinceOf<Name extends string>(
  facts: readonly { readonly name: Name; readonly day: number }[],
  day: number,
): readonly Name[] {
  return facts.filter((fact) => fact.day <= day).map(({ name }) => name);
}

function isPagedHere({ paged }: SourceLife, table: Table): boolean {
  if (paged === 'all') return true;
  return paged === 'top'
    ? PARENT_OF[table] === undefined
    : table === 'players' || table === 'backup_storages';
}

/** The id as the form writes it. */
export function idOf(form: Form, id: number): Cell {
  return form.idText?.(id) ?? id;
}

function written(
  form: Form,
  record: Truth,
  asked: {
    readonly id: number;
    readonly table: Table;
    readonly origin: string;
    readonly path: string;
    readonly root: string;
  },
): JsonObject {
  const fields: Record<string, Cell> = {};
  for (const [name, value] of Object.entries(record)) {
    if (value === null && form.absent === 'omitted') continue;
    const own = name === 'id' ? idOf(form, Number(value)) : value;
    fields[spelled(form.renames?.[name] ?? name, form.spelling)] = own;
  }
  return form.record?.(fields, asked) ?? fields;
}

/** A record with its own state; an error only next to an id and most of what others have. */
function withState(record: Truth, roll: number): Truth {
  const isError = roll % 7 === 3 && 'id' in record;
  const states = [
    { error: null, status: null, message: null },
    { error: '', status: 'ok', message: '' },
    { error: 'none', status: 'active', message: 'OK' },
  ];
  const state = isError
    ? { error: 'no signal', status: 'error', message: 'cable is loose' }
    : states[roll % 3];
  return { ...state, ...record };
}
