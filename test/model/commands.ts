import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { COLUMN_TYPES, type ColumnType } from '#lib/column-types.ts';
import { ExportError } from '#lib/errors.ts';
import { lakeKey, lakePrefix } from '#lib/lake/keys.ts';
import { listKeys } from '#lib/lake/list-keys.ts';
import { namedFiles } from '#lib/lake/named-files.ts';
import { applyType } from '#lib/repair/apply-type.ts';
import { newMaskKey } from '#lib/repair/new-mask-key.ts';
import { purge } from '#lib/repair/purge/purge.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { recover } from '#lib/repair/recover.ts';
import { recoveryOf } from '#lib/repair/recovery-of.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { exportDate, parseAttemptName, runIdAt, runTime } from '#lib/run-id.ts';
import { start } from '#lib/start/start.ts';
import { exportOnce, repairOnce } from '../support/runs.ts';
import { differences, unnamedFaults } from './compare.ts';
import type { Death } from './dying-lake.ts';
import { outcomeFaults } from './outcome-faults.ts';
import {
  type Answered,
  type ApiRecord,
  type ModelRun,
  shownAfter,
  type TableName,
  type Truth,
  withoutSource,
  withRun,
} from './reference-lake.ts';
import type { StepServices, World } from './world.ts';

/** What the model knows besides the world: the truth of now, the config, and what was committed. */
export interface Model {
  truth: Map<string, Truth>;
  settings: Settings;
  /** Committed, oldest first. */
  runs: readonly ModelRun[];
  readonly dropped: Set<string>;
  readonly masked: Set<string>;
  readonly rules: ModelRun['rules'][];
  readonly lost: Set<string>;
  hasNewKey: boolean;
  /** What a step that was killed without a commit would have made of the model, until the next step. */
  pending: StepCommand['effect'] | undefined;
  readonly counts: Map<string, number>;
}

export interface Settings {
  readonly sources: readonly SourceSettings[];
  readonly rawRetentionDays: number;
  readonly dailyRetentionDays: number | null;
  /** By TABLE.COLUMN, in all sources. */
  readonly types: Readonly<Record<string, ColumnType>>;
}
interface SourceSettings {
  readonly name: string;
  readonly timeZone?: string;
  /** By table. */
  readonly drop: Readonly<Record<TableName, readonly string[]>>;
  readonly mask: Readonly<Record<TableName, readonly string[]>>;
  /** It has left the config. */
  readonly isGone: boolean;
}

/** A step of a history; passed over where there is nothing yet that it could be done to. */
export interface Command {
  readonly check: (model: Model) => boolean;
  readonly run: (model: Model, world: World) => Promise<void>;
  readonly [fc.toStringMethod]: () => string;
}

const SOURCES = ['a', 'b'];
const HOUR_MS = 3_600_000;

const NO_FIELDS = { players: [], screens: [] };

export const FIRST_SETTINGS: Settings = {
  sources: SOURCES.map((name) => ({ name, drop: NO_FIELDS, mask: NO_FIELDS, isGone: false })),
  types: {},
  rawRetentionDays: 36_500,
  dailyRetentionDays: null,
};

/** How a run's calls fail: a source's listing, or the screens of a player. */
type Fault = {
  readonly source: string;
  readonly player: string | null;
  readonly how: 'failed' | 'denied' | 'gone';
};

const inConfig = ({ sources }: Settings) => sources.filter(({ isGone }) => !isGone);

function configOf(world: World, settings: Settings) {
  const columnsOf = (table: string) =>
    Object.fromEntries(
      Object.entries(settings.types)
        .filter(([place]) => place.startsWith(`${table}.`))
        .map(([place, type]) => [place.slice(table.length + 1), { type }]),
    );
  return world.config({
    name: 'model',
    rawRetentionDays: settings.rawRetentionDays,
    dailyRetentionDays: settings.dailyRetentionDays,
    maskSecret: 'mask',
    maxShrink: 1,
    minCoverage: 0,
    sources: inConfig(settings).map(({ name, timeZone, drop, mask }) => ({
      name,
      ...(timeZone !== undefined && { timeZone }),
      resources: {
        players: { drop: drop.players, mask: mask.players, columns: columnsOf('players') },
        screens: { drop: drop.screens, mask: mask.screens, columns: columnsOf('screens') },
      },
    })),
  });
}

/** What the sources answer, where these faults befall them. */
function answersOf(truth: ReadonlyMap<string, Truth>, faults: readonly Fault[]): Map<string, Answered> {
  const answers = new Map<string, Answered>();
  for (const [source, { players, screens }] of truth) {
    const own = faults.filter((fault) => fault.source === source);
    const ends = new Map<string, Answered['screens'] extends ReadonlyMap<string, infer End> ? End : never>();
    for (const id of players.keys())
      ends.set(id, own.find(({ player }) => player === id)?.how ?? screens.get(id) ?? new Map());
    const isFailed = own.some(({ player }) => player === null);
    // A path that no parent has any more was renamed: nobody is gone.
    if (ends.size > 0 && [...ends.values()].every((end) => end === 'gone'))
      for (const id of ends.keys()) ends.set(id, 'failed');
    answers.set(source, { players: isFailed ? 'failed' : players, screens: isFailed ? new Map() : ends });
  }
  return answers;
}

/** What the server says: a renamed path is 404 for everybody. */
function serve(world: World, truth: ReadonlyMap<string, Truth>, faults: readonly Fault[]): void {
  for (const [source, { players, screens }] of truth) {
    const own = faults.filter((fault) => fault.source === source);
    const ends = [...players.keys()].map(
      (id) => [id, own.find(({ player }) => player === id)?.how ?? screens.get(id) ?? new Map()] as const,
    );
    const isFailed = own.some(({ player }) => player === null);
    world.answers.set(source, { players: isFailed ? 'failed' : players, screens: new Map(ends) });
  }
}

/** A step of the product: what it may refuse with, what it does, and what the model becomes if it committed. */
interface StepCommand {
  readonly name: string;
  readonly death: Death | undefined;
  readonly mayRefuse: readonly string[];
  readonly act: (services: StepServices) => Promise<unknown>;
  readonly effect: (rules: ModelRun['rules']) => void | Promise<void>;
  /** What the step did to the rest of the lake, if it did not commit. */
  readonly undo?: () => void;
}

async function perform(model: Model, world: World, command: StepCommand): Promise<void> {
  const before = await world.head();
  model.pending = undefined;
  let ended: string;
  try {
    ended = await world.step(command.death, command.act);
  } catch (error) {
    if (!(error instanceof ExportError) || !command.mayRefuse.includes(error.code)) throw error;
    ended = error.code;
  }
  const after = await world.head();
  const isCommitted =
    after !== undefined && (before?.runId !== after.runId || before.attempt !== after.attempt);
  const count = `${command.name} ${ended}`;
  model.counts.set(count, (model.counts.get(count) ?? 0) + 1);
  if (!isCommitted) {
    command.undo?.();
    if (ended === 'killed') model.pending = command.effect;
  }
  if (isCommitted) {
    const { tables } = await world.schema();
    model.rules.push(tables);
    await command.effect(tables);
  }
  await compare(model, world, isCommitted ? await unnamedFaults(world) : []);
}

async function compare(model: Model, world: World, unnamed: readonly string[] = []): Promise<void> {
  await forgetFound(model, world);
  const found = [
    ...unnamed,
    ...(await differences(world, model)),
    ...(await outcomeFaults(world, model.runs)),
  ];
  if (found.length > 0) throw new Error(`${found.length} differences:\n${found.slice(0, 12).join('\n')}`);
}

/** Files that were lost and are written again by now. */
async function forgetFound(model: Model, world: World): Promise<void> {
  if (model.lost.size === 0) return;
  const files = new Set((await world.tableFiles()).map(({ table, date, run }) => `${table} ${date} ${run}`));
  const tables = (await world.head())?.tables ?? {};
  for (const place of model.lost) {
    const [table = '', date = ''] = place.split(' ');
    const run = tables[table]?.dates[date]?.run;
    if (run === undefined || files.has(`${place} ${run}`)) model.lost.delete(place);
  }
}

const deaths: fc.Arbitrary<Death | undefined> = fc.oneof(
  { weight: 7, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.record({ at: fc.integer({ min: 1, max: 45 }), isDone: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ at: fc.constant(0), isDone: fc.boolean(), isAtHead: fc.constant(true) }),
  },
);

/** Hours before an operator's step: files that a commit replaced are removed after a day. */
const waits = fc.constantFrom(0, 0, 1, 25, 49);

function later(world: World, hours: number): void {
  world.now = new Date(world.now.getTime() + 60_000 + hours * HOUR_MS);
}

const faults: fc.Arbitrary<readonly Fault[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.record({
        source: fc.constantFrom(...SOURCES),
        player: fc.constantFrom(null, '1', '2', '3'),
        how: fc.constantFrom('failed' as const, 'denied' as const, 'gone' as const),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  },
);

const runs = fc
  .record({
    only: fc.option(fc.constantFrom(...SOURCES), { freq: 3 }),
    faults,
    death: deaths,
    hours: fc.constantFrom(1, 5, 5, 24, 24, 24, 55, 24 * 35),
    again: fc.boolean(),
  })
  .map(
    (given): Command => ({
      check: () => true,
      run: async (model, world) => {
        world.now = new Date(world.now.getTime() + given.hours * HOUR_MS);
        const runId = runIdAt(world.now);
        const names = inConfig(model.settings).map(({ name }) => name);
        const selected = names.filter((name) => given.only === null || name === given.only);
        if (selected.length === 0) return;
        const config = configOf(world, model.settings);
        serve(world, model.truth, given.faults);
        const answers = answersOf(model.truth, given.faults);
        const before = model.runs.at(-1)?.after;
        const unsure = unsureOf(before, await world.keptRaw());
        const effect = (rules: ModelRun['rules']) => {
          const date = exportDate(runId, 'UTC');
          const asked = { runId, date, sources: names, selected, answers, before, unsure };
          const days = model.settings.dailyRetentionDays;
          model.runs = withRun(model.runs, { ...asked, days, rules, after: shownAfter(asked) });
        };
        const act = async (services: StepServices) => {
          const acceptSourceRemoval = model.settings.sources.flatMap(({ name, isGone }) =>
            isGone ? [name] : [],
          );
          await exportOnce({ ...services, config }, { sources: selected, acceptSourceRemoval });
        };
        const step = { name: 'run', mayRefuse: [], act, effect };
        await perform(model, world, { ...step, death: given.death });
        if (given.again && given.death !== undefined && model.runs.at(-1)?.runId !== runId)
          await perform(model, world, { ...step, name: 'run again', death: undefined });
      },
      [fc.toStringMethod]: () => `run(${JSON.stringify(given)})`,
    }),
  );

/** TABLE KEY of the rows whose raw is gone. */
function unsureOf(tables: ModelRun['before'], raw: ReadonlySet<string>): ReadonlySet<string> {
  const rows = Object.entries(tables ?? {}).flatMap(([table, all]) =>
    [...all].map(([key, { run, source }]) => ({
      place: `${table} ${key}`,
      raw: `${run} ${source} ${table}`,
    })),
  );
  return new Set(rows.flatMap((row) => (raw.has(row.raw) ? [] : [row.place])));
}

/** Kinds of values, of numbers, texts, moments and structures. Numbers are written as DuckDB writes them. */
const KINDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  numbers: [
    ['0', '1', '-5', '12345'],
    ['9007199254740993', '-9223372036854775808'],
    ['1.5', '0.1', '-2.25'],
    ['1e300', '9223372036854775808', '1e-12'],
  ],
  texts: [
    ['"x"', '"1.50"', '"12"', '"ä\\u0001 \'\\""'],
    ['""', 'null'],
    ['true', 'false', '"True"'],
  ],
  moments: [
    ['"2026-01-02T03:04:05Z"', '"2026-01-02T03:04:05+02:00"', '"2026-07-02T03:04:05.678Z"'],
    ['"9999-12-31T00:00:00Z"', '"0001-01-01T00:00:00Z"', '"1600-05-05T00:00:00Z"'],
    ['"2026-01-02T03:04:05"', '"2026-07-02T23:04:05"'],
    ['"2026-01-02"', '"1600-05-05"'],
  ],
  structures: [
    ['[]', '[1,"2"]'],
    ['{}'],
    ['{"A":1}', '{"A":2,"B":"x"}', '{"A":1.5,"B":{"C":true}}', '{"B":{"C":"n"}}'],
  ],
};

/** Members of the records; views ask for the second ones. */
const FIELDS = { players: ['V', 'LastAccess'], screens: ['V', 'LastUpdate'] } as const;
const COLUMNS = ['players.v', 'players.last_access', 'screens.v', 'screens.last_update'];

/** What values there are of a kind, as JSON texts. */
type Values = readonly string[];

/** A day's values of a field are of one or two of the kinds. */
const values = (kinds: readonly Values[]): fc.Arbitrary<fc.Arbitrary<string>> =>
  fc
    .subarray([...kinds], { minLength: 1, maxLength: Math.min(2, kinds.length) })
    .map((own) => fc.constantFrom(...own.flat()));

const records = (
  table: TableName,
  { kinds, max }: { readonly kinds: readonly Values[]; readonly max: number },
): fc.Arbitrary<ReadonlyMap<string, ApiRecord>> =>
  fc.tuple(values(kinds), values(kinds)).chain(([v, w]) =>
    fc
      .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 4 }), v, w), {
        selector: ([id]) => id,
        maxLength: max,
      })
      .map(
        (all) =>
          new Map(
            all.map(([id, ...tokens]) => [
              String(id),
              {
                Id: String(id),
                ...Object.fromEntries(tokens.map((token, index) => [FIELDS[table][index] ?? '', token])),
              },
            ]),
          ),
      ),
  );

const truths = (kinds: readonly Values[], sources: readonly string[] = SOURCES) =>
  fc
    .record({
      source: fc.constantFrom(...sources),
      players: records('players', { kinds, max: 3 }),
      screens: fc.array(records('screens', { kinds, max: 2 }), { minLength: 4, maxLength: 4 }),
    })
    .map(
      ({ source, players, screens }): Command => ({
        check: () => true,
        run: async (model) => {
          model.truth.set(source, {
            players,
            screens: new Map(screens.map((each, index) => [String(index + 1), each])),
          });
        },
        [fc.toStringMethod]: () => `truth(${source}, ${shown(players)}, ${screens.map(shown).join(' | ')})`,
      }),
    );

const shown = (all: ReadonlyMap<string, ApiRecord>) =>
  [...all.values()].map((record) => JSON.stringify(record)).join(' ');

const repairs = fc.record({ faults, death: deaths, hours: waits }).map(
  (given): Command => ({
    check: (model) => model.runs.length > 0,
    run: async (model, world) => {
      later(world, given.hours);
      const last = model.runs.at(-1);
      if (last === undefined) return;
      const config = configOf(world, model.settings);
      serve(world, model.truth, given.faults);
      const now = answersOf(model.truth, given.faults);
      const effect = (rules: ModelRun['rules']) => {
        const answers = new Map(
          [...last.answers].map(([source, own]) => [
            source,
            repaired(own, now.get(source), world.answers.get(source)),
          ]),
        );
        const run = { ...last, answers };
        model.runs = withRun(last.history, { ...run, rules, after: shownAfter(run) });
      };
      const act = async (services: StepServices) => {
        await repairOnce({ ...services, config });
      };
      const step = { name: 'repair', mayRefuse: ['REPAIR_TOO_LATE'], act, effect };
      const { attempt } = (await world.head()) ?? {};
      await perform(model, world, { ...step, death: given.death });
      // What a killed repair got stays in raw, for the next to publish.
      if (given.death !== undefined && (await world.head())?.attempt === attempt)
        await perform(model, world, { ...step, name: 'repair again', death: undefined });
    },
    [fc.toStringMethod]: () => `repair(${JSON.stringify(given)})`,
  }),
);

/** What was failed or denied, as it is answered now; of a parent that is not listed any more the server has nothing. */
function repaired(before: Answered, now: Answered | undefined, served: Answered | undefined): Answered {
  if (now === undefined || before.players === 'failed') return now ?? before;
  const screens = new Map(before.screens);
  for (const [player, end] of before.screens) {
    if (end === 'failed' || end === 'denied')
      screens.set(player, now.screens.get(player) ?? served?.screens.get(player) ?? new Map());
  }
  return { ...before, screens };
}

const rebuilds = fc.record({ back: fc.integer({ min: 0, max: 6 }), death: deaths, hours: waits }).map(
  (given): Command => ({
    check: (model) => model.runs.length > 0,
    run: async (model, world) => {
      later(world, given.hours);
      const from = model.runs.at(-1 - given.back)?.date ?? model.runs[0]?.date ?? '';
      const config = configOf(world, model.settings);
      const act = (services: StepServices) => rebuild(from, { ...services, config });
      const mayRefuse = ['REBUILD_IMPOSSIBLE'];
      // Made again, its changes are those of values as that attempt read them.
      const effect = async () => {
        const first = model.runs.findIndex(({ date }) => date >= from);
        let runs: readonly ModelRun[] = model.runs[first]?.history ?? [];
        for (const run of model.runs.slice(first)) {
          const rules = world.schemaOf(run.runId).tables;
          model.rules.push(rules);
          runs = withRun(runs, { ...run, isExpired: false, rules });
        }
        model.runs = runs;
      };
      await perform(model, world, { name: 'rebuild', death: given.death, mayRefuse, act, effect });
    },
    [fc.toStringMethod]: () => `rebuild(${JSON.stringify(given)})`,
  }),
);

const rollbacks = fc.record({ back: fc.constantFrom(1, 1, 2, 4), death: deaths, hours: waits }).map(
  (given): Command => ({
    check: (model) => model.runs.length > given.back,
    run: async (model, world) => {
      later(world, given.hours);
      const index = model.runs.length - 1 - given.back;
      const runId = model.runs[index]?.runId ?? '';
      const config = configOf(world, model.settings);
      const act = (services: StepServices) => rollback(runId, { ...services, config });
      const effect = () => {
        const target = model.runs[index];
        // Its date may have left the daily tables since, and is back.
        if (target !== undefined) model.runs = [...target.history, { ...target, isExpired: false }];
      };
      const mayRefuse = ['ROLLBACK_IMPOSSIBLE'];
      await perform(model, world, { name: 'rollback', death: given.death, mayRefuse, act, effect });
    },
    [fc.toStringMethod]: () => `rollback(${JSON.stringify(given)})`,
  }),
);

const applies = fc
  .record({
    table: fc.constantFrom('players' as const, 'screens' as const),
    pick: fc.nat(20),
    type: fc.constantFrom(...COLUMN_TYPES),
    acceptLoss: fc.boolean(),
    death: deaths,
    hours: waits,
  })
  .map(
    (given): Command => ({
      check: (model) => model.runs.length > 0,
      run: async (model, world) => {
        const { tables } = await world.schema();
        const columns = tables[given.table]?.columns.filter(({ name }) => name !== 'id') ?? [];
        const column = columns[given.pick % columns.length]?.name;
        if (column === undefined) return;
        later(world, given.hours);
        const config = configOf(world, model.settings);
        const act = (services: StepServices) => applyType({ ...given, column }, { ...services, config });
        await perform(model, world, {
          name: 'apply',
          death: given.death,
          mayRefuse: ['HISTORY_LOST'],
          act,
          effect: () => {},
        });
      },
      [fc.toStringMethod]: () => `apply(${JSON.stringify(given)})`,
    }),
  );

const zones = fc
  .record({ source: fc.constantFrom(...SOURCES), timeZone: fc.constantFrom('Etc/GMT-2', 'America/New_York') })
  .map(
    (given): Command => ({
      check: () => true,
      run: async (model) => {
        const sources = model.settings.sources.map((source) =>
          source.name === given.source ? { ...source, timeZone: given.timeZone } : source,
        );
        model.settings = { ...model.settings, sources };
      },
      [fc.toStringMethod]: () => `zone(${JSON.stringify(given)})`,
    }),
  );

/** A type in the config of both sources, or none. */
const types = fc
  .record({
    place: fc.constantFrom(...COLUMNS),
    type: fc.constantFrom(null, ...COLUMN_TYPES),
  })
  .map(
    ({ place, type }): Command => ({
      check: () => true,
      run: async (model) => {
        const { [place]: _, ...others } = model.settings.types;
        model.settings = { ...model.settings, types: type === null ? others : { ...others, [place]: type } };
      },
      [fc.toStringMethod]: () => `type(${place} ${type})`,
    }),
  );

/** A path of a source's records. */
interface Place {
  readonly source: string;
  readonly table: TableName;
  readonly path: string;
}

const places: fc.Arbitrary<Place> = fc
  .record({
    source: fc.constantFrom(...SOURCES),
    table: fc.constantFrom('players' as const, 'screens' as const),
    field: fc.constantFrom(0, 1),
  })
  .map(({ field, ...given }) => ({ ...given, path: FIELDS[given.table][field] ?? '' }));

/** A path that a source hides, or no longer. */
const hide = (how: 'drop' | 'mask', { source, table, path }: Place): Command => ({
  check: () => true,
  run: async (model) => {
    model.settings = change(model.settings, source, (own) => {
      const isIn = own[how][table].includes(path);
      const now = isIn ? own[how][table].filter((each) => each !== path) : [...own[how][table], path];
      return { ...own, [how]: { ...own[how], [table]: now } };
    });
  },
  [fc.toStringMethod]: () => `${how}(${source} ${table}.${path})`,
});

/** How long raw answers and days are kept, from the next commit on. */
const retention = (given: Pick<Settings, 'rawRetentionDays' | 'dailyRetentionDays'>): Command => ({
  check: () => true,
  run: async (model) => {
    model.settings = { ...model.settings, ...given };
  },
  [fc.toStringMethod]: () => `retention(${JSON.stringify(given)})`,
});

const retentions = fc
  .record({
    rawRetentionDays: fc.constantFrom(0, 1, 3, 36_500),
    dailyRetentionDays: fc.constantFrom(null, null, 1, 3, 40),
  })
  .map(retention);

/** An operator's step, and again where it was killed before its commit. */
async function operate(model: Model, world: World, step: StepCommand): Promise<void> {
  const { attempt } = (await world.head()) ?? {};
  await perform(model, world, step);
  if (step.death !== undefined && (await world.head())?.attempt === attempt)
    await perform(model, world, { ...step, name: `${step.name} again`, death: undefined });
}

const purges = fc.record({ source: fc.constantFrom(...SOURCES), death: deaths, hours: waits }).map(
  ({ source, death, hours }): Command => ({
    check: (model) => model.runs.length > 0,
    run: async (model, world) => {
      later(world, hours);
      const config = configOf(world, model.settings);
      const step = {
        name: 'purge',
        mayRefuse: ['SOURCE_UNKNOWN'],
        act: (services: StepServices) => purge(source, { ...services, config }),
        effect: () => {
          model.runs = withoutSource(model.runs, source);
        },
      };
      await perform(model, world, { ...step, death });
      // One that was killed after its commit has not removed all raw yet.
      if (death !== undefined)
        await perform(model, world, { ...step, name: 'purge again', death: undefined });
      const left = await leftOf(source, world);
      if (left.length > 0) throw new Error(`after its purge ${source} is left in ${left.slice(0, 5)}`);
    },
    [fc.toStringMethod]: () => `purge(${JSON.stringify({ source, death, hours })})`,
  }),
);

/** Where a source is that was purged: in raw, in a head that a rollback may commit, or in a file that such a head names. */
async function leftOf(source: string, world: World): Promise<readonly string[]> {
  const found = [...(await world.keptRaw())].filter((raw) => raw.split(' ')[1] === source);
  const files = new Set((await world.tableFiles()).map(({ table, date, run }) => `${table} ${date} ${run}`));
  for (const head of await world.heads()) {
    const { runId, sources, dialects } = head;
    if (sources.includes(source) || dialects[source] !== undefined) found.push(`the head of ${runId}`);
    for (const named of namedFiles(head)) {
      const place = `${named.table} ${named.date} ${named.run}`;
      if (!files.has(place)) continue;
      const rows = await world.rowsIn(named);
      if (rows.some((row) => row.export_source === source))
        found.push(`${place}, named by the head of ${runId}`);
    }
  }
  return found;
}

let keys = 0;

const newKeys = fc.record({ acceptLoss: fc.boolean(), death: deaths, hours: waits }).map(
  (given): Command => ({
    check: (model) => model.runs.length > 0 && model.masked.size > 0,
    run: async (model, world) => {
      later(world, given.hours);
      const config = configOf(world, model.settings);
      const before = world.maskKey;
      keys += 1;
      const key = `key of masks, number ${keys}`;
      await operate(model, world, {
        name: 'new key',
        death: given.death,
        mayRefuse: ['HISTORY_LOST'],
        act: (services: StepServices) => {
          world.maskKey = key;
          return newMaskKey(given, { ...services, config });
        },
        effect: () => {
          model.hasNewKey = true;
        },
        undo: () => {
          world.maskKey = before;
        },
      });
    },
    [fc.toStringMethod]: () => `new key(${JSON.stringify(given)})`,
  }),
);

/** What is lost: a file of an earlier day, or the raw answers of a run, a source or a listing. */
const losses = fc
  .record({ what: fc.constantFrom('run', 'source', 'listing', 'day', 'day'), pick: fc.nat(30) })
  .map(
    ({ what, pick }): Command => ({
      check: (model) => model.runs.length > 0,
      run: async (model, world) => {
        if (what !== 'day') {
          const kept = [...(await world.keptRaw())].sort();
          const [runId, source, listing] = kept[pick % kept.length]?.split(' ') ?? [];
          if (runId === undefined || source === undefined) return;
          const resource: TableName = listing === 'screens' ? listing : 'players';
          const lost = { run: { runId }, source: { runId, source }, listing: { runId, source, resource } };
          await world.lose(lakePrefix('raw', lost[what]));
          return;
        }
        const { tables = {}, exportDate: newest } = (await world.head()) ?? {};
        const days = ['players', 'screens'].flatMap((table) =>
          Object.entries(tables[table]?.dates ?? {}).flatMap(([date, { run, parts }]) =>
            date === newest || parts.length === 0 ? [] : [{ table, date, run }],
          ),
        );
        const lost = days[pick % days.length];
        if (lost === undefined) return;
        model.lost.add(`${lost.table} ${lost.date}`);
        await world.lose(
          lakePrefix('table', { table: lost.table, exportDate: lost.date, ...parseAttemptName(lost.run) }),
        );
      },
      [fc.toStringMethod]: () => `lose(${what} ${pick})`,
    }),
  );

/**
 * The head is lost: a run is refused, and recover puts the last one back. Of a commit that was killed nobody knows any more
 * whether it was done: then it is.
 */
const lostHeads = fc.constant<Command>({
  check: (model) => model.runs.length > 0,
  run: async (model, world) => {
    const before = await world.head();
    const copy = await world.lake.read(lakeKey('head'));
    // The only commit of a lake may have no copy yet: then the next run begins.
    if (before === undefined || !(await hasCopies(world))) return;
    await world.lose(lakeKey('head'));
    later(world, 0);
    const config = configOf(world, model.settings);
    const scheduledTime = world.now.toISOString();
    const sources = inConfig(model.settings).map(({ name }) => name);
    const run = world.step(undefined, (services) =>
      start({ scheduledTime, sources }, { ...services, config }),
    );
    const refusal = await run.then(
      () => 'started',
      (error: unknown) => (error instanceof ExportError ? `${error.code} ${error.message}` : String(error)),
    );
    if (!refusal.startsWith('HEAD_MISSING ')) throw new Error(`a start without the head: ${refusal}`);
    const { pending } = model;
    // Where files were lost, an earlier head may be the newest that is whole.
    if (model.lost.size > 0 && copy !== undefined)
      return void (await world.lake.write(lakeKey('head'), copy.bytes));
    await world.step(undefined, async (services) => {
      const found = await recoveryOf(services.lake, config);
      if (found === undefined) throw new Error('a lake without its head is sound');
      await recover(found, { ...services, config });
    });
    const after = await world.head();
    if (after?.schema === before.schema && isDeepStrictEqual(after.tables, before.tables)) return;
    if (pending === undefined || after === undefined || after.attempt <= before.attempt)
      throw new Error('another head came back');
    model.pending = undefined;
    const { tables } = await world.schema();
    model.rules.push(tables);
    await pending(tables);
    await compare(model, world);
  },
  [fc.toStringMethod]: () => 'the head is lost',
});

async function hasCopies(world: World): Promise<boolean> {
  for await (const _ of listKeys(world.lake, 'runHead')) return true;
  return false;
}

/** The committed run is started again: not a byte changes. */
const restarts = fc.constant<Command>({
  check: (model) => model.runs.length > 0,
  run: async (model, world) => {
    later(world, 0);
    const config = configOf(world, model.settings);
    const before = await world.objects();
    const scheduledTime = runTime(model.runs.at(-1)?.runId ?? '').toISOString();
    await world.step(undefined, (services) => exportOnce({ ...services, config }, { scheduledTime }));
    const after = await world.objects();
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => before.get(key) !== after.get(key),
    );
    if (changed.length > 0) throw new Error(`a committed run that was started again changed ${changed}`);
  },
  [fc.toStringMethod]: () => 'the committed run is started again',
});

/** The second source leaves the config, or comes back. */
const leaves = fc.constant<Command>({
  check: () => true,
  run: async (model) => {
    model.settings = change(model.settings, 'b', (own) => ({ ...own, isGone: !own.isGone }));
  },
  [fc.toStringMethod]: () => 'b leaves or comes back',
});

function change(settings: Settings, source: string, to: (own: SourceSettings) => SourceSettings): Settings {
  return { ...settings, sources: settings.sources.map((own) => (own.name === source ? to(own) : own)) };
}

const ALL = {
  run: runs,
  repair: repairs,
  rebuild: rebuilds,
  rollback: rollbacks,
  apply: applies,
  zone: zones,
  type: types,
  drop: places.map((place) => hide('drop', place)),
  mask: places.map((place) => hide('mask', place)),
  retain: retentions,
  purge: purges,
  key: newKeys,
  lose: losses,
  head: lostHeads,
  leave: leaves,
  restart: restarts,
};

/** Steps one after the other. */
function inTurn(...steps: readonly Command[]): Command {
  return {
    check: () => true,
    run: async (model, world) => {
      for (const step of steps) if (step.check(model)) await step.run(model, world);
    },
    [fc.toStringMethod]: () => steps.map((step) => step[fc.toStringMethod]()).join(', '),
  };
}

/** What a sequence may have in addition to new truths. */
export type Kind = keyof typeof ALL;
export const ALL_KINDS = Object.keys(ALL) as readonly Kind[];

/** What operators do. A step that needs others before it is in the list more than once, to be drawn oftener. */
const OPERATIONS: readonly Kind[] = [
  ...([
    'rollback',
    'rollback',
    'rebuild',
    'rebuild',
    'repair',
    'repair',
    'apply',
    'apply',
    'lose',
    'lose',
  ] as const),
  ...(['purge', 'purge', 'key', 'head', 'head', 'restart'] as const),
];

/** What a sequence has in addition to runs. */
interface Theme {
  readonly kinds: readonly Values[];
  /** Zones that its sources begin with. */
  readonly first: readonly Command[];
  readonly operations: readonly Kind[];
  readonly settings: readonly Kind[];
  /** Steps that come again and again, in this order. */
  readonly own?: fc.Arbitrary<Command>;
}

const some = <Each>(all: readonly Each[], [least, most]: readonly [number, number]) =>
  fc.subarray([...all], { minLength: Math.min(least, all.length), maxLength: Math.min(most, all.length) });

/**
 * Values of one or two groups, and some kinds of steps. Five themes more are for faults that need certain ones
 * together: zones that change under moments without offset; days that are lost before a column of numbers widens; runs
 * that are rebuilt and then repaired; one path that is masked on and off; operators' steps where no raw is kept.
 */
function themes(asked: readonly Kind[]): fc.Arbitrary<Theme> {
  const isAsked = (kind: Kind) => asked.includes(kind);
  const operations = OPERATIONS.filter(isAsked);
  const settings = asked.filter((kind) => kind !== 'run' && !OPERATIONS.includes(kind));
  const { numbers = [], moments = [] } = KINDS;
  const [withOffset = [], , local = []] = moments;
  const any = fc.subarray(Object.keys(KINDS), { minLength: 1, maxLength: 2 }).chain((groups) =>
    fc.record({
      kinds: fc.constant(groups.flatMap((group) => KINDS[group] ?? [])),
      first: isAsked('zone') ? fc.array(zones, { maxLength: 2 }) : fc.constant([]),
      operations: some(operations, [1, 2]),
      settings: some(settings, [0, 2]),
    }),
  );
  const zoned = fc.record({
    kinds: fc.constantFrom([local], [local, withOffset]),
    first: fc.array(zones, { minLength: 2, maxLength: 3 }),
    operations: some(operations, [0, 1]),
    settings: some(
      settings.filter((kind) => kind !== 'zone'),
      [0, 1],
    ).map((others) => [...others, 'zone', 'zone'] as const),
  });
  const lossy = fc.record({
    kinds: some(numbers, [2, 3]),
    first: fc.constant([]),
    operations: fc.constant((['lose', 'lose', 'apply'] as const).filter(isAsked)),
    settings: some(settings, [0, 1]),
  });
  const again = (['rebuild', 'repair'] as const).filter(isAsked);
  const remade = fc.record({
    kinds: fc.constantFrom(...Object.values(KINDS)),
    first: fc.constant([]),
    operations: fc.constant([...again, ...again]),
    settings: some(settings, [1, 2]),
  });
  const masked = fc
    .record({ kinds: fc.constantFrom(...Object.values(KINDS)), place: places })
    .chain(({ kinds, place }) =>
      fc.record({
        kinds: fc.constant(kinds),
        first: fc.constant([]),
        operations: some(operations, [0, 1]),
        settings: fc.constant([]),
        own: fc.constant(
          fc
            .tuple(truths(kinds, [place.source]), runs)
            .map(([truth, run]) => inTurn(truth, run, hide('mask', place))),
        ),
      }),
    );
  const rawless = fc.record({
    kinds: fc.constantFrom(...Object.values(KINDS)),
    first: fc.constant([retention({ rawRetentionDays: 0, dailyRetentionDays: null })]),
    operations: some((['apply', 'purge', 'key', 'rollback'] as const).filter(isAsked), [1, 2]),
    settings: some(
      settings.filter((kind) => kind !== 'retain'),
      [0, 1],
    ),
  });
  return fc.oneof(
    { arbitrary: any, weight: 3 },
    { arbitrary: masked, weight: isAsked('mask') ? 1 : 0 },
    { arbitrary: rawless, weight: isAsked('retain') ? 1 : 0 },
    { arbitrary: remade, weight: again.length === 2 ? 1 : 0 },
    { arbitrary: zoned, weight: isAsked('zone') ? 1 : 0 },
    { arbitrary: lossy, weight: isAsked('lose') ? 1 : 0 },
  );
}

/**
 * Sequences of 8 to 20 commands. Each repeats the kinds of steps of its theme. So tens of sequences draw a fault that
 * needs a step of one kind before and after another.
 */
export function sequences(asked: readonly Kind[]): fc.Arbitrary<readonly Command[]> {
  return themes(asked).chain(({ kinds, first, operations, settings, own }) =>
    fc
      .tuple(
        // Without rows no step does anything.
        fc.tuple(...SOURCES.map((source) => truths(kinds, [source]))),
        fc.array(
          fc.oneof(
            { arbitrary: runs, weight: 8 },
            { arbitrary: truths(kinds), weight: 4 },
            ...operations.map((kind) => ({ arbitrary: ALL[kind], weight: 3 })),
            ...settings.map((kind) => ({ arbitrary: ALL[kind], weight: 2 })),
            ...(own === undefined ? [] : [{ arbitrary: own, weight: 8 }]),
          ),
          { minLength: 8, maxLength: 20, size: 'max' },
        ),
      )
      .map(([rows, commands]) => [...first, ...rows, ...commands]),
  );
}
