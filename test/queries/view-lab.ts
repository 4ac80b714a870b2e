import { startFixtureServer } from '#simulator/fixture-server.ts';
import { labConfig } from '../support/export-lab.ts';
import { type ClockedLake, clockedLake } from './clocked-lake.ts';

type Records = readonly object[];

/** What both APIs say on a day; a child that is 'denied' answers 403. */
export interface Day {
  readonly players?: Records;
  readonly licenses?: Records;
  readonly screens?: Readonly<Record<string, Records | 'denied'>>;
  readonly transfers?: Readonly<Record<string, Records | 'denied'>>;
  readonly storages?: Records;
  readonly slots?: Readonly<Record<string, Records | 'denied'>>;
  readonly pricing?: object;
  /** Every call is answered 403. */
  readonly refused?: boolean;
}

export interface ViewLab extends Pick<ClockedLake, 'folder' | 'lake' | 'rows' | typeof Symbol.asyncDispose> {
  /** One run whose clock stands at that time, against what the APIs say then. */
  run(runTime: string, day: Day): ReturnType<ClockedLake['run']>;
}

const SIGNAGE = '/gv2/webservices/API/v1.12';

/** Small truths of a test's own, served as both APIs and exported: sources berlin and vault. */
export async function viewLab(settings: Parameters<typeof labConfig>[1] = {}): Promise<ViewLab> {
  let today: Day = {};
  const answer = (path: string) => {
    const found = today.refused === true ? 'denied' : bodyOf(today, path);
    if (found === 'denied') return { status: 403, body: '{"Message":"denied"}' };
    return { body: JSON.stringify(found) };
  };
  const server = await startFixtureServer({
    routes: new Proxy({}, { get: (_, path: string) => (path.includes('?') ? undefined : answer(path)) }),
  });
  const lake = await clockedLake(labConfig(server.url, settings), {
    read: async (name) =>
      name === 'lab/vault' ? { accessToken: 'fixture-token' } : { apiKey: 'fixture-key' },
  });
  return {
    folder: lake.folder,
    lake: lake.lake,
    rows: lake.rows,
    run: (runTime, day) => {
      today = day;
      return lake.run(runTime);
    },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await lake[Symbol.asyncDispose]();
    },
  };
}

function bodyOf(day: Day, path: string): object | 'denied' {
  const data = (records: Records | 'denied' = []) =>
    records === 'denied' ? records : { result: 'success', data: records };
  const [, player, child] = /\/Players\/([^/]+)\/(\w+)$/.exec(path) ?? [];
  if (player !== undefined)
    return (child === 'Screens' ? day.screens?.[player] : day.transfers?.[player]) ?? [];
  const [, storage] = /^\/0\/backup\/([^/]+)\/slot$/.exec(path) ?? [];
  if (storage !== undefined) return data(day.slots?.[storage]);
  switch (path) {
    case `${SIGNAGE}/Players`:
      return day.players ?? [];
    case `${SIGNAGE}/Licenses`:
      return day.licenses ?? [];
    case '/1/backup':
      return data(day.storages);
    case '/1/backup/pricing':
      return day.pricing ?? data();
    default:
      return [];
  }
}
