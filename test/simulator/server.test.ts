import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#simulator/json.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { call, json, SIGNAGE } from './client.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ players: 50 });
});
afterAll(() => simulator.close());

describe('what it serves', () => {
  it('is the truth of the day, in bare arrays and in {result, data}', async () => {
    const today = simulator.world.at(0);
    const [player = 0] = today.playerIds();
    const [storage = 0] = today.storageIds();
    expect(await json(simulator, `${SIGNAGE}/AppGroups`)).toEqual(today.records('app_groups'));
    expect(await json(simulator, `${SIGNAGE}/Licenses`)).toEqual(today.records('licenses'));
    expect(await json(simulator, `${SIGNAGE}/Players`)).toEqual(today.records('players'));
    expect(await json(simulator, `${SIGNAGE}/Players/${player}/Screens`)).toEqual(
      today.records('screens', player),
    );
    expect(await json(simulator, `${SIGNAGE}/Players/${player}/PendingFileTransfers`)).toEqual(
      today.records('pending_file_transfers', player),
    );
    const data = async (path: string) => {
      const body = await json<JsonObject>(simulator, `${path}?account_id=1042`);
      expect(body.result).toBe('success');
      return body.data;
    };
    expect(await data('/1/backup/pricing')).toEqual(today.records('backup_pricing')[0]);
    expect(await data('/1/backup')).toEqual(today.records('backup_storages'));
    expect(await data(`/0/backup/${storage}/slot`)).toEqual(today.records('backup_slots', storage));
  });
});

describe('what it refuses', () => {
  const refused = async (path: string, headers?: Record<string, string>) => {
    const answer = await call(simulator, path, headers);
    return { status: answer.status, body: (await answer.json()) as JsonObject };
  };
  const denied = { status: 401, body: { Message: 'Authorization has been denied for this request.' } };

  it('a missing or wrong key', async () => {
    expect(await refused(`${SIGNAGE}/Players`, {})).toEqual(denied);
    expect(await refused(`${SIGNAGE}/Players`, { 'x-apikey': 'wrong' })).toEqual(denied);
    expect(await refused(`${SIGNAGE}/Players`, { 'x-session-id': 'wrong' })).toEqual(denied);
    const { sessionId } = simulator.secrets.session;
    expect((await refused(`${SIGNAGE}/Licenses`, { 'x-session-id': sessionId })).status).toBe(200);
    const bearer = await refused('/1/backup?account_id=1042', { authorization: 'Bearer wrong' });
    expect(bearer).toMatchObject({
      status: 401,
      body: { result: 'error', error: { code: 'not_authorized' } },
    });
  });

  it('a missing account_id', async () => {
    const answer = await refused('/1/backup');
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'validation_failed' } } });
  });

  it('unknown players, storages, versions, paths and methods', async () => {
    const player = await refused(`${SIGNAGE}/Players/7/Screens`);
    expect(player.status).toBe(404);
    expect(Object.keys(player.body)).toEqual(['Message', 'MessageDetail']);
    expect((await refused('/0/backup/7/slot?account_id=1042')).status).toBe(404);
    const version = await refused('/gv2/webservices/API/v1.15/Players');
    expect(version.status).toBe(400);
    expect(JSON.stringify(version.body)).toContain('1.12');
    expect((await refused(`${SIGNAGE}/Spots`)).status).toBe(404);
    expect((await refused('/nothing')).status).toBe(404);
    const post = await fetch(`${simulator.url}${SIGNAGE}/Players`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET']);
  });
});

describe('what it counts', () => {
  it('requests, resources, statuses, times, paths and how many at once', async () => {
    const watched = await startSimulator({
      players: 20,
      latencyMs: 300,
      recordsRequests: true,
    });
    const paths = [...watched.world.at(0).playerIds()].map((id) => `${SIGNAGE}/Players/${id}/Screens`);
    await Promise.all(paths.map((path) => json(watched, path)));
    await (await call(watched, '/nothing')).text();
    const { stats } = watched;
    expect(stats).toMatchObject({
      requests: 21,
      byResource: { screens: 20, unknown: 1 },
      byStatus: { 200: 20, 404: 1 },
    });
    expect([stats.maxInFlight, stats.inFlight]).toEqual([20, 0]);
    expect(stats.requestTimes).toHaveLength(21);
    expect(stats.requestPaths.slice(0, 20).sort()).toEqual(paths.sort());
    stats.reset();
    expect(stats.requests).toBe(0);
    await watched.close();
  });
});
