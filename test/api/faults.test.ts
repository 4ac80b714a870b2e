import { describe, expect, test } from 'vitest';
import { resourceNamed } from '#lib/sources/resources.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { someOf } from '../support/some-of.ts';
import { clientOf, type Fetched, fetchAll, sourceAt } from './support/serve.ts';

const resource = resourceNamed('screens');

/** The screens of every player, 20 at once; waiting takes no time. */
async function fetchScreens(simulator: Simulator): Promise<ReadonlyMap<number, Fetched>> {
  const source = sourceAt(simulator.url, { concurrency: 20 });
  await using client = clientOf(source, {
    secrets: { read: async () => simulator.secrets.signage },
    random: Math.random,
    now: () => new Date(),
  });
  const ids = [...simulator.world.at(0).playerIds()];
  const entries = ids.map(
    async (id) => [id, await fetchAll({ client, source, resource, parentId: String(id) })] as const,
  );
  return new Map(await Promise.all(entries));
}

describe('faults that pass cost no record', () => {
  const FAULTS = [
    '500:0.05,reset:0.02,truncate:0.02,429',
    'cut-json:0.03,error200:0.03',
    '503:0.1',
    'wrong-content-type',
    'big-body:0.01@mb=3',
    'echo:0.05',
  ];
  for (const faults of FAULTS) {
    test(faults, async () => {
      const simulator = await startSimulator({ players: 200, faults });
      const got = await fetchScreens(simulator);
      const today = simulator.world.at(0);
      for (const [id, { end, records }] of someOf(got)) {
        const due = today.records('screens', id);
        expect({ id, ...end }).toMatchObject({ outcome: due.length === 0 ? 'empty' : 'ok', message: null });
        expect(records).toEqual(due);
      }
      await simulator.close();
    });
  }
});

test('players that are gone or denied are exactly those', async () => {
  const simulator = await startSimulator({ players: 200, faults: 'gone:0.05,denied:0.05' });
  const got = await fetchScreens(simulator);
  const [gone, denied] = [simulator.parentsMeeting('gone'), simulator.parentsMeeting('denied')];
  for (const [id, { end }] of someOf(got)) {
    const due = gone.has(id) ? ['gone'] : denied.has(id) ? ['denied'] : ['ok', 'empty'];
    expect(due).toContain(end.outcome);
  }
  expect(gone.size + denied.size).toBeGreaterThan(5);
  await simulator.close();
});

test('a key that rotates while 200 players are asked for costs none of them', async () => {
  const simulator = await startSimulator({ players: 200, faults: 'rotate:0.02' });
  for (const { end } of someOf((await fetchScreens(simulator)).values()))
    expect(['ok', 'empty']).toContain(end.outcome);
  await simulator.close();
});

test('no redirect and no next link takes the key to another origin', async () => {
  const simulator = await startSimulator({
    players: 70,
    profile: 'guid-drf',
    pageSize: 20,
    faults: 'next-link',
  });
  const source = sourceAt(simulator.url);
  await using client = clientOf(source, { secrets: { read: async () => simulator.secrets.signage } });
  const linked = await fetchAll({ client, source, resource: resourceNamed('players'), parentId: null });
  expect(linked.end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_OTHER_ORIGIN' });
  await simulator.setFaults('redirect:1');
  const redirected = await fetchAll({ client, source, resource: resourceNamed('players'), parentId: null });
  expect(redirected.end).toMatchObject({ outcome: 'failed', errorCode: 'REDIRECT_REFUSED' });
  expect(simulator.stats.secondOrigin).toEqual([]);
  await simulator.close();
});

describe('200 with JSON that is no listing is failed, never empty', () => {
  for (const shape of ['object', 'message', 'number', 'text']) {
    test(shape, async () => {
      const simulator = await startSimulator({ players: 10, faults: `wrong-shape:1@shape=${shape}` });
      for (const { end } of someOf((await fetchScreens(simulator)).values())) {
        expect(end).toMatchObject({ outcome: 'failed', errorCode: 'ENVELOPE_UNKNOWN' });
      }
      await simulator.close();
    });
  }
});

test('an API that is not enabled says so', async () => {
  const simulator = await startSimulator({ players: 3, faults: 'not-enabled' });
  const got = await fetchScreens(simulator);
  for (const { end } of someOf(got.values()))
    expect(end).toMatchObject({ outcome: 'denied', errorCode: 'API_NOT_ENABLED' });
  await simulator.close();
});
