import { cp, rm } from 'node:fs/promises';
import { EXIT } from '#cli/exit.ts';
import { ExportError } from '#lib/errors.ts';
import type { StartEvent } from '#lib/run/payloads.ts';
import { expectedOf, SOURCE_OF } from '../healthy/expected.ts';
import type { FleetDay } from '../healthy/fleet.ts';
import { configOf, lifeServer } from '../healthy/life-server.ts';
import { type Alarm, judgeRun, type Printed } from '../healthy/oracle.ts';
import { momentOf } from '../healthy/records.ts';
import { serveDay } from '../healthy/serve-life.ts';
import type { Kind } from '../healthy/truth.ts';
import { CHANGE_DAY, type ChangedLife, changedTables, daysOf, type SourceChange } from './draw-change.ts';
import { judgeReport, type Told } from './judge-report.ts';

/** How a life and its change went. */
export interface ChangeLived {
  /** Of the days without the change, that of the change among them: none may report anything. */
  readonly false: readonly Alarm[];
  /** Of the day with the change: it must be reported. */
  readonly missed: readonly Alarm[];
  /** What was told of the change. */
  readonly told?: Told;
}

export interface ChangeLab extends AsyncDisposable {
  live(changed: ChangedLife): Promise<ChangeLived>;
}

/**
 * One server and one DuckDB; each life has a lake of its own. Its last day runs once with the change and once without.
 */
export async function changeLab(): Promise<ChangeLab> {
  const server = await lifeServer();

  interface Day {
    readonly lake: string;
    readonly life: ChangedLife['life'];
    readonly day: number;
    readonly fleet: FleetDay;
    readonly config: Configured;
    readonly event?: StartEvent;
    /** ms that the server's clock is ahead of ours. */
    readonly ahead?: number;
  }
  const runDay = async ({ lake, life, day, fleet, config, event, ahead = 0 }: Day) => {
    const today = serveDay({ life, day, fleet, origin: server.origin });
    const date = new Date(momentOf(day) + ahead).toUTCString();
    server.serve((url) => {
      const said = today.answer(url);
      return said && ahead !== 0 ? { ...said, headers: { ...said.headers, date } } : said;
    });
    try {
      const summary = await server.run(lake, day, configured(life, server.origin, config), event);
      const printed: Printed = JSON.parse(JSON.stringify(summary));
      const { status, sources, leftOut = [] } = summary;
      return { exitCode: EXIT[status], sources, leftOut, printed };
    } catch (error) {
      if (!(error instanceof ExportError)) throw error;
      return { exitCode: 2, error: `${error.code}: ${error.message}`, sources: [] };
    }
  };

  return {
    live: async (changed) => {
      const { life, change } = changed;
      const own = server.newLake();
      const twin = `${own}-changed`;
      const days = daysOf(life);
      const isAdded = change.kind === 'source' && change.change === 'added';
      const usual = { without: isAdded ? change.source : undefined };
      const falses: Alarm[] = [];
      for (const [day, fleet] of days.entries()) {
        if (day === CHANGE_DAY) await cp(own, twin, { recursive: true });
        const { printed, error, exitCode } = await runDay({ lake: own, life, day, fleet, config: usual });
        if (printed === undefined) falses.push({ day, kind: 'crash', says: error ?? '' });
        else falses.push(...judgeRun({ day, exitCode, printed, outcomes: [] }));
      }
      const today = changedTables(changed);
      const last = { lake: twin, life, day: CHANGE_DAY, fleet: today };
      const told = await runDay({
        ...last,
        ...(change.kind === 'source' ? sourceChanges(change.change, change.source, life) : { config: usual }),
      });
      const expected = change.kind === 'field' ? expectedOf(life, today).get(change.field.table) : undefined;
      const source = SOURCE_OF[change.kind === 'field' ? change.field.source : change.source];
      const columns = change.kind === 'field' ? (expected?.columns(change.field.field) ?? []) : [];
      const missed = judgeReport({ change, days, told, columns, source });
      for (const lake of [own, twin]) await rm(lake, { recursive: true, force: true });
      return { false: falses, missed, told };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

interface Configured {
  /** This kind of source is not there. */
  readonly without?: Kind | undefined;
  readonly renamed?: Kind;
  readonly timeZone?: string;
}

function sourceChanges(
  change: SourceChange,
  source: Kind,
  life: ChangedLife['life'],
): { readonly config: Configured; readonly event?: StartEvent; readonly ahead?: number } {
  const others = life.sources.filter(({ kind }) => kind !== source).map(({ kind }) => SOURCE_OF[kind]);
  switch (change) {
    case 'renamed':
      return { config: { renamed: source } };
    case 'left out of the config':
      return { config: { without: source } };
    case 'left out of the run':
      return { config: {}, event: { sources: others } };
    case 'added':
      return { config: {} };
    case 'zone moved':
      // 03:00 in UTC in UTC is still the day before there.
      return { config: { timeZone: 'Pacific/Pago_Pago' } };
    case 'clock moved':
      return { config: {}, event: { isByOwnClock: true }, ahead: 5 * 3_600_000 };
  }
}

/** What an operator writes on the first day, and on that of the change. */
function configured(
  life: ChangedLife['life'],
  baseUrl: string,
  { without, renamed, timeZone }: Configured,
): object {
  const left = { ...life, sources: life.sources.filter(({ kind }) => kind !== without) };
  const nameOf = (kind: Kind) => (kind === renamed ? `${SOURCE_OF[kind]}-2` : SOURCE_OF[kind]);
  // Nobody says that it is time for a run at 03:00, as a schedule at that hour would.
  const schedule = 'cron(0 15 * * ? *)';
  return {
    ...{ ...configOf(left, baseUrl, nameOf), schedule },
    ...(timeZone !== undefined && { timeZone }),
  };
}
