import type { TableSchema } from '#lib/schema/schema.ts';

/** Tables that the model knows: players, and their screens. */
export type TableName = 'players' | 'screens';
/** A record as the API says it: its id, and the JSON text of every other member. */
export type ApiRecord = Readonly<Record<string, string>>;
/** What a source's listings hold: players by id, and the screens of each. */
export interface Truth {
  readonly players: ReadonlyMap<string, ApiRecord>;
  readonly screens: ReadonlyMap<string, ReadonlyMap<string, ApiRecord>>;
}

/** How a source answered in a run; a parent's screens: their records, or how the call ended. */
export interface Answered {
  readonly players: 'failed' | ReadonlyMap<string, ApiRecord>;
  readonly screens: ReadonlyMap<string, 'failed' | 'denied' | 'gone' | ReadonlyMap<string, ApiRecord>>;
}

/** A row that a table shows: who said it, in which run, and what. */
export interface Shown {
  readonly source: string;
  readonly run: string;
  readonly parent: string;
  readonly record: ApiRecord;
}
/** The rows of a table by source and record_key. */
export type Rows = ReadonlyMap<string, Shown>;
export type Tables = Readonly<Record<TableName, Rows>>;

/** What the product decided of a table's columns: the model checks that every day is read by it. */
export type TableRule = Pick<TableSchema, 'columns' | 'flattened'>;

/** A run that committed: what it was asked, what it got, and what its tables showed before and after it. */
export interface ModelRun {
  readonly runId: string;
  readonly date: string;
  /** Of the config. */
  readonly sources: readonly string[];
  readonly selected: readonly string[];
  readonly answers: ReadonlyMap<string, Answered>;
  readonly before: Tables | undefined;
  readonly after: Tables;
  /** How values were read when it was committed, or made again: `changes` stay what they were then. */
  readonly rules: Readonly<Record<string, TableRule>>;
  /** The runs before it as they stood after its commit. */
  readonly history: readonly ModelRun[];
  /** How many days its commit left in the daily tables; null = all. */
  readonly days: number | null;
  /** Its date has left the daily tables. */
  readonly isExpired?: boolean;
  /** TABLE KEY of rows before it whose raw was gone: what they were is known as far as their cells told. */
  readonly unsure: ReadonlySet<string>;
}

/** The runs after a commit: what lies behind the newest days, as many as it leaves, is gone. */
export function withRun(before: readonly ModelRun[], run: Omit<ModelRun, 'history'>): readonly ModelRun[] {
  const shown = before.filter(({ isExpired }) => isExpired !== true);
  const days = [...new Set([...shown, run].map(({ date }) => date))].sort().reverse();
  const oldest = run.days === null ? '' : (days.slice(0, run.days).at(-1) ?? '');
  const history = before.map((each) => (each.date < oldest ? { ...each, isExpired: true } : each));
  return [...history, { ...run, history }];
}

/** The runs as if a source had never been. */
export function withoutSource(runs: readonly ModelRun[], gone: string): readonly ModelRun[] {
  const known = new Map<ModelRun, ModelRun>();
  const rows = (all: Rows): Rows => new Map([...all].filter(([, { source }]) => source !== gone));
  const tables = ({ players, screens }: Tables): Tables => ({
    players: rows(players),
    screens: rows(screens),
  });
  const of = (run: ModelRun): ModelRun => {
    const made = known.get(run) ?? {
      ...run,
      sources: run.sources.filter((name) => name !== gone),
      selected: run.selected.filter((name) => name !== gone),
      before: run.before && tables(run.before),
      after: tables(run.after),
      history: run.history.map(of),
    };
    known.set(run, made);
    return made;
  };
  return runs.map(of);
}

const NONE: Tables = { players: new Map(), screens: new Map() };
const KEPT = new Set(['failed', 'denied']);

/** The tables after a run: what it got, and what stays of what it could not get. */
export function shownAfter(run: Pick<ModelRun, 'runId' | 'sources' | 'selected' | 'answers' | 'before'>) {
  const before = run.before ?? NONE;
  const players = new Map<string, Shown>();
  const screens = new Map<string, Shown>();
  for (const source of run.sources) {
    const answer = run.selected.includes(source) ? run.answers.get(source) : undefined;
    const listed = answer === undefined || answer.players === 'failed' ? undefined : answer.players;
    if (listed === undefined) keep(before.players, players, (row) => row.source === source);
    else
      for (const [id, record] of listed)
        players.set(`${source} ${id}`, { source, run: run.runId, parent: id, record });
    const stays = (row: Shown) => {
      if (row.source !== source) return false;
      const own = answer?.screens.get(row.parent);
      return answer === undefined || (listed === undefined && own === undefined) || KEPT.has(String(own));
    };
    keep(before.screens, screens, stays);
    for (const [parent, own] of answer?.screens ?? []) {
      if (typeof own === 'string') continue;
      for (const [id, record] of own)
        screens.set(`${source} ${parent}/${id}`, { source, run: run.runId, parent, record });
    }
  }
  return { players, screens };
}

function keep(from: Rows, to: Map<string, Shown>, isKept: (row: Shown) => boolean): void {
  for (const [key, row] of from) if (isKept(row)) to.set(key, row);
}
