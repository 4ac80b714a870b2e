import { cp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signageViewLab, type ViewLab } from '../queries/view-lab.ts';

const HOUR = 3_600_000;
const DAYS = [Date.parse('2026-11-20T03:00:00Z'), Date.parse('2026-11-21T03:00:00Z')] as const;
const IDS = Array.from({ length: 30 }, (_, index) => index + 1);
const seconds = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;

type Value = string | number | boolean;
type Player = Readonly<Record<string, Value>>;

/** A field of each kind, and what a healthy player says there. */
const FIELDS = {
  time: ['LastAccess', (id, run) => seconds(run - id * 60_000)],
  epoch: ['CreatedAt', (id) => 1_700_000_000 + id * 7919],
  'epoch of today': ['LastCheck', (id, run) => run / 1000 - 900 * id],
  amount: ['DiskBytes', (id, run) => (20 + ((id * 37) % 200)) * 1e9 + (((id * run) / 1e6) % 90) * 1e6],
  share: ['DiskFull', (id, run) => (1 + ((id * 31 + run / HOUR) % 98)) / 100],
  yes: ['IsLicensed', (id) => id % 2 === 0],
  words: ['City', (id) => ['Berlin', 'Ulm', 'Köln'][id % 3] ?? ''],
  code: ['CustomId', (id) => `AB${1000 + id}`],
  text: ['Name', (id) => `Foyer ${id}`],
} as const satisfies Readonly<Record<string, readonly [string, (id: number, run: number) => Value]>>;
type Kind = keyof typeof FIELDS;
const KINDS = Object.keys(FIELDS) as readonly Kind[];

const fleet = (run: number): readonly Player[] =>
  IDS.map((Id) => ({
    ...{ Id, Created: seconds(1_600_000_000_000 + Id * 7_919_000) },
    ...Object.fromEntries(Object.values(FIELDS).map(([field, value]) => [field, value(Id, run)])),
  }));

/** How a value is written, without the value: digits are 9, letters are x. */
const formOf = (value: unknown) => String(value).replace(/\p{L}/gu, 'x').replace(/\d/g, '9');
const two = (number: number) => String(number).padStart(2, '0');
const german = (date: Date) =>
  `${two(date.getUTCDate())}.${two(date.getUTCMonth() + 1)}.${date.getUTCFullYear()} ${date.toISOString().slice(11, 19)}`;

interface Change {
  /** The kinds of fields whose meaning changes; each alone, unless the clock of the server moves all times. */
  readonly of: readonly Kind[];
  readonly becomes: (value: Value) => unknown;
  /** One of the texts of each list must be in the report: of what it was, and of what it is. */
  readonly says: (was: readonly Value[], is: readonly unknown[]) => readonly [string[], string[]];
}

const of30 = (count: number) => [`${count} of 30`];
const emptied = (of: readonly Kind[], to: unknown): Change => ({
  ...{ of, becomes: () => to, says: () => [of30(30), of30(0)] },
});
const grown = (of: readonly Kind[], factor: number, said: string): Change => ({
  of,
  becomes: (value) => Number((Number(value) * factor).toPrecision(15)),
  says: () => [['before', 'were'], [said]],
});
const written = (of: readonly Kind[], becomes: Change['becomes']): Change => ({
  ...{ of, becomes },
  says: (was, is) => [was.map(formOf), is.map(formOf)],
});
const typed = (
  of: readonly Kind[],
  becomes: Change['becomes'],
  [was, is]: readonly [string, string],
): Change => ({
  ...{ of, becomes },
  says: () => [[was], [is]],
});
const worded = (becomes: Change['becomes']): Change => ({
  ...{ of: ['words'], becomes },
  says: (was, is) => [was.map(String), is.map(String)],
});

const CHANGES: Readonly<Record<string, Change>> = {
  'is null': emptied(KINDS, null),
  'is empty text': emptied(['time', 'words', 'code', 'text'], ''),
  'is in thousands': grown(['amount'], 0.001, '1000'),
  'is a thousand times as large': grown(['amount', 'epoch'], 1000, '1000'),
  'is bytes, and then GB': grown(['amount'], 1e-9, '1000000000'),
  'is bytes, and then KiB': grown(['amount'], 1 / 1024, '10'),
  'is minutes, and then seconds': grown(['amount'], 60, '60'),
  'is a fraction, and then percent': grown(['share'], 100, '100'),
  'is a German time': written(['time'], (value) => german(new Date(String(value)))),
  'is an HTTP time': written(['time'], (value) => new Date(String(value)).toUTCString()),
  'is a time without a zone': written(['time'], (value) => String(value).replace('Z', '')),
  'is a time in seconds': typed(['time'], (value) => Date.parse(String(value)) / 1000, ['text', 'number']),
  'was seconds': typed(['epoch', 'epoch of today'], (time) => seconds(Number(time) * 1000), [
    'number',
    'text',
  ]),
  'is a number in text': typed(['amount', 'share', 'epoch'], String, ['number', 'text']),
  'is a number with a unit': typed(['amount', 'share'], (value) => `${value} GB`, ['number', 'text']),
  'is a list of one': typed(['words', 'code', 'text', 'amount'], (value) => [value], ['', 'list']),
  'is yes or no': typed(['yes'], (value) => (value === true ? 'yes' : 'no'), ['true', 'text']),
  'is one or zero': typed(['yes'], Number, ['true', 'number']),
  'has a prefix': written(['code'], (value) => `ID/${value}`),
  'has another separator': written(['code'], (value) => String(value).replace(/[A-Z]+/, '$&.')),
  'is in small letters': worded((value) => String(value).toLowerCase()),
  'is another word': worded((value) => [...String(value)].reverse().join('').toUpperCase()),
};

const columnOf = (field: string) => field.replaceAll(/(?!^)[A-Z]/g, '_$&').toLowerCase();

describe('R12: a healthy life with one change of meaning reports it on its day, and without the change nothing', () => {
  const today = fleet(DAYS[1]);
  const onDay = async (at: number, players: readonly object[]) =>
    await lab.run(new Date(at).toISOString(), { players });
  let lab: ViewLab;
  beforeAll(async () => {
    lab = await signageViewLab();
    expect((await onDay(DAYS[0], fleet(DAYS[0]))).status).toBe('complete');
    await cp(lab.lake.name, `${lab.lake.name}-before`, { recursive: true });
  });
  afterAll(() => lab[Symbol.asyncDispose]());

  /** The second day of the fleet, whose first is healthy. */
  async function secondDay(players: readonly object[]) {
    await rm(lab.lake.name, { recursive: true });
    await cp(`${lab.lake.name}-before`, lab.lake.name, { recursive: true });
    const { status, sources } = await onDay(DAYS[1], players);
    return { status, questions: sources[0]?.questions ?? [] };
  }

  it('without a change', async () => {
    expect(await secondDay(today)).toEqual({ status: 'complete', questions: [] });
  });

  const pairs = Object.entries(CHANGES).flatMap(([name, { of }]) => of.map((kind) => [kind, name] as const));
  it.each(pairs)('a field of the kind %s %s', async (kind, name) => {
    const { becomes, says = () => [[], []] } = CHANGES[name] ?? {};
    const [field] = FIELDS[kind];
    const was = fleet(DAYS[0]).map((player) => player[field] ?? '');
    const is = today.map((player) => becomes?.(player[field] ?? ''));
    const { status, questions } = await secondDay(today.map((each, at) => ({ ...each, [field]: is[at] })));
    const columns = new Set(questions.map(({ column }) => column));
    expect([status, ...columns]).toEqual(['partial', columnOf(field)]);
    expect(questions.some(({ cures }) => cures.length > 0)).toBe(true);
    const told = questions.map((each) => each.says).join('; ');
    const isSaid = (texts: readonly string[]) => texts.some((text) => told.includes(text));
    expect(says(was, is).map(isSaid), told).toEqual([true, true]);
  });

  it('a field has a new name', async () => {
    const renamed = today.map(({ City, ...player }) => ({ ...player, CityName: City }));
    expect(await secondDay(renamed)).toMatchObject({ status: 'partial', questions: [{ column: 'city' }] });
  });

  it.each([-8, -5, -2, -1, 1, 2, 5.5, 9])('all times shift by %d h', async (hours) => {
    const moved = (value: Value) =>
      typeof value === 'number' ? value + hours * 3600 : seconds(Date.parse(String(value)) + hours * HOUR);
    const players = today.map((player) => ({
      ...player,
      ...Object.fromEntries(
        ['LastAccess', 'Created', 'CreatedAt'].map((field) => [field, moved(player[field] ?? '')]),
      ),
    }));
    const { status, questions } = await secondDay(players);
    expect([status, questions.length > 0]).toEqual(['partial', true]);
    expect(questions.map(({ says }) => says).join()).toContain(` ${Math.abs(hours)} h `);
  });
});
