import { type Dice, dice, hash } from '#simulator/dice.ts';
import { type FleetDay, fleetDays } from '../healthy/fleet.ts';
import { drawLife, type Life } from '../healthy/life.ts';
import type { Cell, DayTruth, Held, Kind, Table } from '../healthy/truth.ts';
import { FIELD_CHANGES, type FieldChange, type Said, type Seen } from './changes.ts';
import { FIELDS, type Field } from './fields.ts';

/** From 0: the day of the change; the one before is healthy. */
export const CHANGE_DAY = 1;
/** Of fewer records nothing can be said. */
export const MANY = 10;

export const SOURCE_CHANGES = [
  'renamed',
  'left out of the config',
  'left out of the run',
  'added',
  'zone moved',
  'clock moved',
] as const;
export type SourceChange = (typeof SOURCE_CHANGES)[number];

/** How many different changes there are. */
export const CHANGES = FIELD_CHANGES.length + SOURCE_CHANGES.length;

/** What changes in a life on the day of the change. */
export type Change =
  | { readonly kind: 'field'; readonly change: FieldChange; readonly field: Field }
  | { readonly kind: 'source'; readonly change: SourceChange; readonly source: Kind };

export interface ChangedLife {
  readonly life: Life;
  readonly change: Change;
}

export const nameOf = ({ change }: ChangedLife): string =>
  change.kind === 'source'
    ? `the source of ${change.source} is ${change.change}`
    : `${change.field.table}.${change.field.field}: ${change.change.name}`;

/** The changed life of that number: every change comes once before one comes twice. */
export function drawChanged({
  seed,
  number,
}: {
  readonly seed: number;
  readonly number: number;
}): ChangedLife {
  const roll = dice(hash(seed, 201, number));
  for (let attempt = 0; attempt < 1000; attempt++) {
    const life = small(drawLife({ seed: hash(seed, 202, number), number: attempt }));
    const found = drawIn(roll, life, number);
    if (found !== undefined) return { life, change: found };
  }
  throw new Error(`no life of number ${number} has room for its change`);
}

/** A tiny run is cheap: few players are enough. */
function small(life: Life): Life {
  const sizes = {
    ...life.sizes,
    players: Math.min(life.sizes.players, 30),
    storages: Math.min(life.sizes.storages, 12),
  };
  return { ...life, sizes, events: life.events.filter(({ day }) => day <= CHANGE_DAY) };
}

function drawIn(roll: Dice, life: Life, number: number): Change | undefined {
  const wanted = number % CHANGES;
  const change = FIELD_CHANGES[wanted];
  if (change === undefined) {
    const name = SOURCE_CHANGES[wanted - FIELD_CHANGES.length] ?? 'renamed';
    const isOne = life.sources.length === 1;
    // A source without records has nothing that could be missed.
    if (life.sizes.players === 0 || life.sizes.storages === 0) return undefined;
    if (isOne && name !== 'zone moved' && name !== 'clock moved' && name !== 'renamed') return undefined;
    if (!isOne && name === 'clock moved') return undefined;
    const source = roll.pick(life.sources).kind;
    return { kind: 'source', change: name, source };
  }
  const days = daysOf(life);
  const fitting = FIELDS.filter(
    (field) => life.sources.some(({ kind }) => kind === field.source) && isSeen(days, { change, field }),
  );
  return fitting.length === 0 ? undefined : { kind: 'field', change, field: roll.pick(fitting) };
}

/** The days of a life up to that of the change, with fields that the recorded answers lack. */
export function daysOf(life: Life): readonly FleetDay[] {
  const fleets = fleetDays(life);
  return Array.from({ length: CHANGE_DAY + 1 }, (_, day) => {
    const fleet: FleetDay | undefined = fleets.next().value ?? undefined;
    if (fleet === undefined) throw new Error('a life ended');
    return {
      ...fleet,
      tables: { ...fleet.tables, players: fleet.tables.players.map((each) => withDisk(life, day, each)) },
    };
  });
}

function withDisk({ seed }: Life, day: number, { parent, record }: Held): Held {
  const id = Number(record['id']);
  const bytes =
    (20 + (hash(seed, 211, id) % 200)) * 1_000_000_000 + (hash(seed, 212, id, day) % 90) * 1_000_000;
  return {
    parent,
    record: { ...record, disk_bytes: bytes, disk_full: (1 + (hash(seed, 213, id, day) % 98)) / 100 },
  };
}

/** What the records that are there before and after said and say. */
export function seenOf(
  days: readonly FleetDay[],
  { change, field }: { readonly change: FieldChange; readonly field: Field },
): Seen {
  const rows = (day: number) => days[day]?.tables[field.table] ?? [];
  const now = new Map(rows(CHANGE_DAY).map((held) => [held.record['id'], held.record[field.field]]));
  const both = rows(CHANGE_DAY - 1).flatMap(({ record }) => {
    const [was, is] = [record[field.field], now.get(record['id'])];
    return isValue(was) && isValue(is) ? [{ was, is: change.becomes(is) }] : [];
  });
  return {
    field,
    before: both.map(({ was }) => was),
    after: both.map(({ is }) => is),
    records: {
      before: rows(CHANGE_DAY - 1).length,
      after: rows(CHANGE_DAY).length,
      filled: rows(CHANGE_DAY - 1).filter(({ record }) => isValue(record[field.field])).length,
    },
  };
}

const isValue = (cell: Cell | undefined): cell is string | number | boolean =>
  cell !== null && cell !== undefined && cell !== '';

/** True where the change can be told: many records have a value, and it makes another of nearly each. */
function isSeen(
  days: readonly FleetDay[],
  changed: { readonly change: FieldChange; readonly field: Field },
): boolean {
  const { change, field } = changed;
  if (!change.of.includes(field.kind)) return false;
  const { before, after, records } = seenOf(days, changed);
  if (before.length < MANY) return false;
  const isEmptied = after.every((each) => each === null || each === '') || change.renamed !== undefined;
  if (isEmptied) return before.length >= 0.95 * records.before;
  const words = new Set(before);
  const usual = (day: number) =>
    (days[day]?.tables[field.table] ?? []).map(({ record }) => record[field.field]);
  // One word for all may be another on the next day: a version, a state.
  if (field.kind === 'words' && words.size < 2) return false;
  return (
    usual(CHANGE_DAY).filter(
      (value) => isValue(value) && JSON.stringify(change.becomes(value)) === JSON.stringify(value),
    ).length === 0
  );
}

/** The tables of the day of the change. */
export function changedTables({ life, change }: ChangedLife): {
  readonly tables: DayTruth;
  readonly version: string;
} {
  const [today] = daysOf(life).slice(-1);
  if (today === undefined) throw new Error('a life has no days');
  if (change.kind === 'source') return today;
  const { areAll, becomes, of, renamed } = change.change;
  const isChanged = (table: Table, field: string) =>
    FIELDS.some(
      (each) =>
        each.table === table &&
        each.field === field &&
        (areAll === true
          ? each.source === change.field.source && of.includes(each.kind)
          : each.table === change.field.table && field === change.field.field),
    );
  const recordOf = (table: Table, record: Held['record']) =>
    Object.fromEntries(
      Object.entries(record).flatMap(([field, value]): readonly (readonly [string, Said])[] => {
        if (!isChanged(table, field)) return [[field, value]];
        const said = isValue(value) ? becomes(value) : value;
        return renamed === undefined
          ? [[field, said]]
          : [
              [renamed(field), said],
              [field, null],
            ];
      }),
    );
  const tables = Object.fromEntries(
    Object.entries(today.tables).map(([table, held]) => [
      table,
      held.map(({ parent, record }) => ({ parent, record: recordOf(table as Table, record) })),
    ]),
  );
  return { ...today, tables: tables as unknown as DayTruth };
}
