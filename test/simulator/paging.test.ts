import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '#simulator/json.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '#simulator/server.ts';
import { call, json, SIGNAGE } from './client.ts';

let running: Simulator | undefined;
afterEach(() => running?.close());

async function start(options: SimulatorOptions): Promise<Simulator> {
  running = await startSimulator({ players: 200, ...options });
  return running;
}

const PLAYERS = `${SIGNAGE}/Players`;

/** The players on four numbered pages. */
async function idsOnPages(simulator: Simulator): Promise<readonly number[]> {
  const pages = [1, 2, 3, 4].map((page) =>
    json<{ data: JsonObject[] }>(simulator, `${PLAYERS}?page=${page}`),
  );
  return (await Promise.all(pages)).flatMap(({ data }) => data.map((record) => Number(record.Id)));
}

describe('paging that is right', () => {
  it('refuses what it does not know, with 400', async () => {
    const simulator = await start({ profile: 'marker' });
    expect((await call(simulator, `${PLAYERS}?marker=nonsense`)).status).toBe(400);
    const pages = await start({ profile: 'paged-standard' });
    expect((await call(pages, `${PLAYERS}?page=-1`)).status).toBe(400);
    expect(await json(pages, `${PLAYERS}?page=9`)).toMatchObject({ data: [], page: 9, pages: 4 });
    await simulator.close();
  });

  it('backup-2023 speaks of pages only when asked', async () => {
    const simulator = await start({ profile: 'backup-2023', pageSize: 5 });
    const path = '/1/backups?account_id=1042';
    expect(Object.keys(await json<JsonObject>(simulator, path))).toEqual(['result', 'data']);
    expect(await json(simulator, `${path}&page=2`)).toMatchObject({
      total: 8,
      page: 2,
      pages: 2,
      items_per_page: 5,
    });
    expect((await call(simulator, '/1/backup?account_id=1042')).status).toBe(404);
    expect((await call(simulator, '/1/backups/26001/slots')).status).toBe(200);
  });

  it('odata links absolutely, relatively and from the root', async () => {
    const simulator = await start({ profile: 'odata', pageSize: 3 });
    const link = async (path: string) => String((await json<JsonObject>(simulator, path))['@odata.nextLink']);
    expect(await link(PLAYERS)).toMatch(new RegExp(`^${simulator.url}${SIGNAGE}/Players\\?`));
    expect(await link(`${SIGNAGE}/Licenses`)).toMatch(/^Licenses\?/);
    expect(await link('/1/backup?account_id=1042')).toMatch(/^backup\?account_id=1042&/);
    const player = [...simulator.world.at(0).playerIds()].find(
      (id) => simulator.world.at(0).records('pending_file_transfers', id).length > 3,
    );
    expect(await link(`${PLAYERS}/${player}/PendingFileTransfers`)).toMatch(/^\/gv2\//);
  });

  it('takes one page of a very long listing at once', async () => {
    const simulator = await start({ profile: 'limit-skip', players: 300_000 });
    const started = performance.now();
    const body = await json<{ items: JsonObject[] }>(simulator, `${PLAYERS}?skip=299950`);
    expect(body.items).toHaveLength(50);
    await json(simulator, `${PLAYERS}?skip=150000`);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('faults of paging', () => {
  it('moving: one record is on no page, another on two, and the total agrees', async () => {
    const simulator = await start({ profile: 'paged-standard', faults: 'moving' });
    const truth = [...simulator.world.at(0).playerIds()];
    const seen = await idsOnPages(simulator);
    expect(seen).toHaveLength(200);
    expect(seen.filter((id) => id === truth[0])).toHaveLength(2);
    expect(truth.filter((id) => !seen.includes(id))).toEqual([truth[50]]);
    await simulator.setFaults('');
    expect(await idsOnPages(simulator)).toEqual(truth);
  });

  it.each(['odata', 'guid-drf', 'link-header'])(
    'next-link: the links of %s lead to the second origin',
    async (profile) => {
      const simulator = await start({ profile, faults: 'next-link' });
      const answer = await call(simulator, PLAYERS);
      const said = `${answer.headers.get('link')} ${await answer.text()}`;
      const link = /http:\/\/127\.0\.0\.1:\d+[^"> ]*/.exec(said)?.[0] ?? '';
      expect(new URL(link).origin).not.toBe(simulator.url);
      await fetch(link);
      expect(simulator.stats.secondOrigin).toHaveLength(1);
    },
  );

  it('halved and empty agree with their totals', async () => {
    const simulator = await start({ profile: 'limit-skip', faults: 'halved' });
    const itemsFrom = async (skip: number) =>
      (await json<{ items: JsonObject[] }>(simulator, `${PLAYERS}?skip=${skip}`)).items.length;
    expect([await itemsFrom(0), await itemsFrom(50), await itemsFrom(100)]).toEqual([50, 50, 0]);
    await simulator.setFaults('empty');
    expect(await json(simulator, PLAYERS)).toEqual({ items: [], total: 0, limit: 50, skip: 0 });
  });
});
