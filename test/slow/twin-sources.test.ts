import { expect, it } from 'vitest';
import { lakePrefix } from '#lib/lake/keys.ts';
import type { Answered } from '../model/reference-lake.ts';
import { openWorld, type World } from '../model/world.ts';
import { exportOnce } from '../support/runs.ts';

const HOUR_MS = 3_600_000;

/** A record by its id: the JSON texts of its `V` and `W`. */
type Records = Readonly<Record<string, readonly [v: string, w: string]>>;

/** What a source says on a day, and its own settings from then on. */
interface Told {
  readonly players: 'failed' | Records;
  readonly screens: Readonly<Record<string, 'failed' | 'denied' | 'gone' | Records>>;
  readonly settings?: object;
}

/** A run of two sources, and what the config says of both from then on. */
interface Run {
  readonly a: Told;
  readonly b: Told;
  readonly config?: object;
  /** Since the run before. @default 24 */
  readonly hours?: number;
  /** The source whose answers of all runs before are lost. @default none */
  readonly lost?: Name;
}

type Name = 'a' | 'b';

const recordsOf = (records: Records) =>
  new Map(
    Object.entries(records).map(([id, [V, W]]) => [id, { ...(!id.startsWith('~') && { Id: id }), V, W }]),
  );

const answeredBy = ({ players, screens }: Told): Answered => ({
  players: players === 'failed' ? players : recordsOf(players),
  screens: new Map(
    Object.entries(screens).map(([id, said]) => [id, typeof said === 'string' ? said : recordsOf(said)]),
  ),
});

/** The runs of those of the two sources that are named, in a lake of their own. */
async function tell(story: readonly Run[], names: readonly Name[]): Promise<World> {
  const world = await openWorld(new Date('2026-03-01T03:00:00Z'));
  const settings = new Map<Name, object>();
  let shared = {};
  for (const run of story) {
    const { hours = 24, lost } = run;
    world.now = new Date(world.now.getTime() + hours * HOUR_MS);
    shared = { ...shared, ...run.config };
    for (const name of names) {
      world.answers.set(name, answeredBy(run[name]));
      settings.set(name, { ...settings.get(name), ...run[name].settings });
      if (name === lost) await loseRaw(world, name);
    }
    const sources = names.map((name) => ({ name, ...settings.get(name) }));
    const config = world.config({ name: 'twins', minCoverage: 0, maskSecret: 'mask', sources, ...shared });
    await world.step(undefined, (services) => exportOnce({ ...services, config }));
  }
  return world;
}

async function loseRaw(world: World, name: Name): Promise<void> {
  for (const kept of await world.keptRaw()) {
    const [runId = '', source] = kept.split(' ');
    if (source === name) await world.lose(lakePrefix('raw', { runId, source }));
  }
}

/** What is said of a column is said of all sources that have it. */
const OF_COLUMN: ReadonlySet<string> = new Set(['last_seen', 'type', 'provisional']);

/** Every row of the source in every table and date, and in the newest lists; and the parents that are noted of it. */
async function saidOf(world: World, name: Name): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const [table, { dates }] of Object.entries((await world.head())?.tables ?? {}))
    for (const date of [
      ...(['players', 'screens'].includes(table) ? [undefined] : []),
      ...Object.keys(dates),
    ])
      for (const row of await world.rows(table, date)) {
        if (row['export_source'] !== name) continue;
        const cells = Object.entries(row).filter(([column, cell]) => cell !== null && !OF_COLUMN.has(column));
        lines.push(`${table} ${date ?? 'newest'} ${JSON.stringify(Object.fromEntries(cells.sort()))}`);
      }
  const parents = await world.lake.read(`state/parents/${name}.json`);
  return [...lines, Buffer.from(parents?.bytes ?? []).toString('utf8')].sort();
}

/** What differs between a source next to another one with the same ids and the same source alone. */
async function expectTwins(story: readonly Run[]): Promise<void> {
  await using both = await tell(story, ['a', 'b']);
  for (const name of ['a', 'b'] as const) {
    await using alone = await tell(story, [name]);
    const said = await saidOf(alone, name);
    expect(said.length).toBeGreaterThan(50);
    expect(await saidOf(both, name)).toEqual(said);
  }
}

it('a source has the same rows beside another one with the same ids as alone, whichever of their calls fail', {
  timeout: 120_000,
}, async () => {
  const many = (count: number, of = 'm'): Records =>
    Object.fromEntries(
      Array.from({ length: count }, (_, id) => [String(id + 1), [`${id}`, `"${of}"`] as const]),
    );
  const [one, two, eleven] = [many(1), many(2), many(11)];
  const [players, others] = [many(8, 'p'), many(8, 'q')];
  const without = (records: Records, left: string) =>
    Object.fromEntries(Object.entries(records).filter(([id]) => id !== left));
  const whole = { 5: one, 6: eleven, 7: eleven, 8: eleven };
  await expectTwins([
    {
      a: { players, screens: { 1: two, 2: one, 3: one, 4: one, ...whole } },
      b: { players: others, screens: { 1: one, 2: two, 3: {}, 4: two, ...whole } },
    },
    // Three with exactly ten may be cut, and one that lost ten of eleven is held: nothing of theirs is removed.
    {
      a: {
        players: { ...players, 9: ['5', '"t"'] },
        screens: {
          1: 'denied',
          2: 'failed',
          3: {},
          4: 'gone',
          5: one,
          6: many(10),
          7: many(10),
          8: many(10),
        },
      },
      b: {
        players: others,
        screens: { 1: two, 2: one, 3: 'denied', 4: one, 5: 'failed', 6: one, 7: many(15), 8: many(10) },
      },
    },
    {
      a: { players: 'failed', screens: {} },
      b: {
        players: { ...without(others, '2'), 1: ['"no number"', '"P"'] },
        screens: { 1: one, 3: { 1: ['"x"', '"y"'] }, ...whole },
      },
    },
    {
      a: {
        players: { ...without(players, '1'), 3: ['"none"', '"r"'] },
        screens: { 2: two, 3: 'failed', ...whole },
      },
      b: { players: 'failed', screens: {} },
    },
  ]);
});

it('a source has the same rows beside another one with the same ids as alone, whatever becomes of history', {
  timeout: 120_000,
}, async () => {
  const players: Records = { 1: ['1', '"2026-03-01 10:00"'], 2: ['2', '"2026-03-01 11:00"'] };
  const others: Records = { 1: ['7', '"2026-03-01 12:00"'], 2: ['8', '"2026-03-01 13:00"'] };
  const misfit: Records = { ...players, 1: ['"no number"', '"2026-03-02 10:00"'] };
  const wider: Records = { ...players, 2: ['2.5', '"2026-03-01 11:00"'] };
  const widerToo: Records = { ...others, 2: ['2.5', '"2026-03-01 11:00"'] };
  // They have no id.
  const one: Records = { '~1': ['1', '"x"'], '~2': ['1', '"x"'] };
  const two: Records = { '~1': ['2', '"x"'], '~2': ['3', '"y"'] };
  const half: Records = { ...two, '~2': ['3.5', '"y"'] };
  await expectTwins([
    {
      a: { players, screens: { 1: one, 2: one }, settings: { timeZone: 'Europe/Berlin' } },
      b: { players: others, screens: { 1: one, 2: one }, settings: { timeZone: 'Asia/Tokyo' } },
    },
    {
      a: { players: misfit, screens: { 1: one, 2: two } },
      b: { players: others, screens: { 1: two, 2: two } },
    },
    // The date shows a parent of each source as its first run left it.
    {
      hours: 2,
      a: { players: misfit, screens: { 1: 'failed', 2: two } },
      b: { players: misfit, screens: { 1: two, 2: 'denied' } },
    },
    // Read again: b from raw, a from its cells; then both from their cells.
    {
      lost: 'a',
      config: { rawRetentionDays: 0 },
      a: { players: wider, screens: { 1: half, 2: one } },
      b: { players: widerToo, screens: { 1: half, 2: one } },
    },
    {
      a: { players: wider, screens: { 1: half, 2: one }, settings: hiding({ mask: ['V'] }) },
      b: {
        players: widerToo,
        screens: { 1: half, 2: one },
        settings: { timeZone: 'Asia/Seoul', ...hiding({ drop: ['V'] }) },
      },
    },
  ]);
});

const hiding = (players: object) => ({ resources: { players, screens: { drop: ['W'] } } });
