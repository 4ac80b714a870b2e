import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { localServices } from '#cli/local-services.ts';
import { collectBatch } from '#lib/collect/collect.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { type BatchGroup, readBatch, writeBatches } from '#lib/run/batch.ts';
import { type ApiClients, apiClients, lambdaShare } from '#lib/runtime/api-clients.ts';
import { sweep } from '#lib/sweep/sweep.ts';
import { API_KEY, json, serve } from '../api/support/serve.ts';
import { begin } from '../support/begin.ts';
import { labSettings } from '../support/export-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { countedLake, virtualTime } from '../support/virtual-time.ts';

const LAMBDA_MS = 890_000;

/** A source whose one batch is collected as Lambdas do: each call has clients of its own, and nothing else in common. */
async function rateLab({ rate, players, latencyMs = 0, realMs = 0 }: Setup) {
  const calls: number[] = [];
  const clients: ReturnType<ApiClients['client']>[] = [];
  const asked = () => clients.reduce((sum, client) => sum + client.stats().requests, 0);
  let storing = 0;
  const time = virtualTime(new Date('2026-11-21T03:00:00Z'), () => storing > 0 || asked() > calls.length);
  const server = await serve(async (_, response) => {
    calls.push(time.monotonic());
    await time.sleep(latencyMs);
    if (realMs > 0) await sleep(realMs);
    json(response, '[]');
  });
  const folder = await temporaryFolder();
  const lake = countedLake(folderLake(folder.path), (more) => {
    storing += more;
  });
  const settings = labSettings(server.url, { signage: { requestsPerSecond: rate, concurrency: 64 } });
  const config = parseConfig(JSON.stringify(settings), 'lab.config.json');
  const local = { ...localServices(lake), now: time.now };
  const input = await begin({ sources: ['berlin'] }, { ...local, config });
  const place = { ...input, source: 'berlin' };
  const parents = Array.from({ length: players }, (_, index) => `${index}`);
  await writeBatches(lake, { ...place, pass: 0 }, [[{ resource: 'screens', failures: 0, parents }]]);
  return {
    time,
    /** When the server got each call, in ms. */
    calls,
    /** A Lambda's call of collect for the batch, which has so many ms. */
    collect: async (limitMs = LAMBDA_MS): Promise<number> => {
      const ends = time.monotonic() + limitMs;
      const services = { ...local, timeLeft: () => ends - time.monotonic() };
      await using made = apiClients({
        ...{ services, share: lambdaShare, follow: true, clock: time, random: () => 0.5 },
        secrets: { read: async () => ({ apiKey: API_KEY }) },
      });
      const client: ApiClients['client'] = (source, where) => {
        const own = made.client(source, where);
        clients.push(own);
        return own;
      };
      return await collectBatch({ ...place, pass: 0, width: 1, batch: 0 }, { ...services, client });
    },
    /** What the sweep finds left to be asked for. */
    left: async () => {
      const { pass, batches } = await sweep({ ...place, pass: 0 }, local);
      return (await Promise.all(batches.map((batch) => readBatch(lake, { ...place, pass, batch })))).flat();
    },
    [Symbol.asyncDispose]: async () => {
      for (const each of [time, server, folder]) await each[Symbol.asyncDispose]();
    },
  };
}

interface Setup {
  readonly rate: number;
  /** Each is one call. */
  readonly players: number;
  readonly latencyMs?: number;
  /** How long an answer takes by the real clock, which limits each call. */
  readonly realMs?: number;
}

const countOf = (left: readonly BatchGroup[]) => left.reduce((sum, { parents }) => sum + parents.length, 0);

describe('a batch that has not time for all of its items', () => {
  it('ends its calls 20 s before its time is up, and leaves the rest as not begun, by another try of it too', async () => {
    await using lab = await rateLab({ rate: 1, players: 100 });
    const began = lab.time.monotonic();
    expect(await lab.collect(60_000)).toBe(1);
    const asked = lab.calls.length;
    expect(asked).toBeGreaterThan(30);
    expect((lab.calls.at(-1) ?? 0) - began).toBeLessThanOrEqual(40_000);
    // As Lambda's own retry, or an attempt that begins where a killed one was.
    expect(await lab.collect()).toBe(1);
    expect(lab.calls.length).toBe(asked);
    const left = await lab.left();
    expect(countOf(left)).toBe(100 - asked);
    // For want of time nothing has failed.
    expect(new Set(left.map(({ failures }) => failures))).toEqual(new Set([0]));
  });

  it('keeps the answers of a slow server where its time ends amid calls', async () => {
    await using lab = await rateLab({ rate: 20, players: 300, latencyMs: 3000, realMs: 300 });
    expect(await lab.collect(27_000)).toBe(1);
    expect(countOf(await lab.left())).toBe(300 - lab.calls.length);
  });
});
