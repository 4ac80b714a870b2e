import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '#cli/exit.ts';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { runLocally } from '#cli/run-locally.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { ExportError } from '#lib/errors.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { sharedDuckDb } from '#lib/runtime/stage-duckdb.ts';
import { close, listen } from '#simulator/server/listen.ts';
import { expectedOf, SOURCE_OF } from '../healthy/expected.ts';
import type { FleetDay } from '../healthy/fleet.ts';
import type { Said } from '../healthy/forms/form.ts';
import { type Alarm, judgeRun, type Printed } from '../healthy/oracle.ts';
import { momentOf } from '../healthy/records.ts';
import { type Served, serveDay } from '../healthy/serve-life.ts';
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

const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const SECRETS = {
  read: async (name: string) =>
    name === 'lab/vault' ? { accessToken: 'token of a healthy life' } : { apiKey: 'key of a healthy life' },
};

/**
 * One server and one DuckDB; each life has a lake of its own. Its last day runs once with the change and once without.
 */
export async function changeLab(): Promise<ChangeLab> {
  const folder = await mkdtemp(join(FOLDER, 'signage-export-meaning-'));
  const duckDb = sharedDuckDb(localServices(folderLake(folder)));
  let served: Served | undefined;
  let lakes = 0;
  const { server, url: origin } = await listen(0, (request, response) => {
    const said: Said = served?.answer(request.url ?? '/') ?? {
      status: 404,
      body: { Message: 'No HTTP resource was found.' },
    };
    response.writeHead(said.status ?? 200, {
      'content-type': 'application/json; charset=utf-8',
      ...said.headers,
    });
    response.end(JSON.stringify(said.body));
  });

  interface Day {
    readonly lake: string;
    readonly life: ChangedLife['life'];
    readonly day: number;
    readonly fleet: FleetDay;
    readonly config: Parameters<typeof configOf>[2];
    readonly event?: object;
    /** ms that the server's clock is ahead of ours. */
    readonly ahead?: number;
  }
  const runDay = async ({
    lake,
    life,
    day,
    fleet,
    config,
    event,
    ahead = 0,
  }: Day): Promise<Told & { readonly printed?: Printed }> => {
    const today = serveDay({ life, day, fleet, origin });
    const dated = (said: ReturnType<Served['answer']>) =>
      said && { ...said, headers: { ...said.headers, date: new Date(momentOf(day) + ahead).toUTCString() } };
    served = ahead === 0 ? today : { answer: (url) => dated(today.answer(url)) };
    const began = performance.now();
    const now = () => new Date(momentOf(day) + performance.now() - began);
    try {
      await using services = localApiServices({ ...localServices(folderLake(lake)), now }, SECRETS, () => 0);
      const parsed = parseConfig(JSON.stringify(configOf(life, origin, config)), 'meaning.config.json');
      const summary = await runLocally(
        { scheduledTime: new Date(momentOf(day)).toISOString(), ...event },
        { ...services, duckDb, config: parsed },
      );
      const printed: Printed = JSON.parse(JSON.stringify(summary));
      return {
        exitCode: EXIT[summary.status],
        sources: summary.sources,
        leftOut: summary.leftOut ?? [],
        printed,
      };
    } catch (error) {
      if (!(error instanceof ExportError)) throw error;
      return { exitCode: 2, error: `${error.code}: ${error.message}`, sources: [] };
    }
  };

  return {
    live: async (changed) => {
      const { life, change } = changed;
      const own = join(folder, `lake-${lakes++}`);
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
    [Symbol.asyncDispose]: async () => {
      await close(server);
      await duckDb[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
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
): { readonly config: Configured; readonly event?: object; readonly ahead?: number } {
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

/** What an operator writes on the first day; the limits of calls alone are those of a test. */
function configOf(
  life: ChangedLife['life'],
  baseUrl: string,
  { without, renamed, timeZone }: Configured,
): object {
  // Nobody says that it is time for a run at 03:00, as a schedule at that hour would.
  const schedule = 'cron(0 15 * * ? *)';
  const fast = { baseUrl, concurrency: 50, requestsPerSecond: null };
  return {
    name: 'meaning',
    schedule,
    ...(timeZone !== undefined && { timeZone }),
    sources: life.sources
      .filter(({ kind }) => kind !== without)
      .map(({ kind }) => ({
        name: kind === renamed ? `${SOURCE_OF[kind]}-2` : SOURCE_OF[kind],
        kind,
        secret: `lab/${SOURCE_OF[kind]}`,
        ...(kind === 'backup' && { accountId: '1042' }),
        ...fast,
      })),
  };
}
