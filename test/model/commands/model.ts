import fc from 'fast-check';
import type { ColumnType } from '#lib/column-types.ts';
import type { ModelRun, TableName, Truth } from '../reference-lake.ts';
import type { World } from '../world.ts';

/** What the model becomes by a step that committed. */
export type Effect = (rules: ModelRun['rules']) => void | Promise<void>;

/** What the model knows besides the world: the truth of now, the config, and what was committed. */
export interface Model {
  truth: Map<string, Truth>;
  settings: Settings;
  /** Committed, oldest first. */
  runs: readonly ModelRun[];
  /** TABLE SOURCE COLUMN that was dropped once: what its changes said is gone for ever. */
  readonly dropped: Set<string>;
  /** The same of columns that were masked once. */
  readonly masked: Set<string>;
  /** How tables were read at each commit: where raw is gone, cells tell no more than they told then. */
  readonly rules: ModelRun['rules'][];
  /** TABLE DATE of files that were lost. */
  readonly lost: Set<string>;
  /** The masks were made again by another key: those of changes are masks of masks. */
  hasNewKey: boolean;
  /** What a step that was killed without a commit would have made of the model, until the next step. */
  pending: Effect | undefined;
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

/** A step that is always possible, or where `check` says so. */
export const command = (says: string, run: Command['run'], check: Command['check'] = () => true) => ({
  ...{ check, run },
  [fc.toStringMethod]: () => says,
});

/** A step that needs a committed run. */
export const afterRun = (says: string, run: Command['run']): Command =>
  command(says, run, (model) => model.runs.length > 0);

/** A step by its name and what was drawn of it. */
export const says = (name: string, given: object): string => `${name}(${JSON.stringify(given)})`;

export const SOURCES = ['a', 'b'];
export const HOUR_MS = 3_600_000;

const NO_FIELDS = { players: [], screens: [] };

export const FIRST_SETTINGS: Settings = {
  sources: SOURCES.map((name) => ({ name, drop: NO_FIELDS, mask: NO_FIELDS, isGone: false })),
  types: {},
  rawRetentionDays: 36_500,
  dailyRetentionDays: null,
};

export const inConfig = ({ sources }: Settings) => sources.filter(({ isGone }) => !isGone);

export function configOf(world: World, settings: Settings) {
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

export function change(settings: Settings, source: string, to: (own: SourceSettings) => SourceSettings) {
  return { ...settings, sources: settings.sources.map((own) => (own.name === source ? to(own) : own)) };
}
