import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LOCAL_HOLDER } from '#cli/local-holder.ts';
import { localServices } from '#cli/local-services.ts';
import { collectBatch } from '#lib/collect/collect.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { type BatchGroup, readBatch, writeBatches } from '#lib/run/batch.ts';
import { type ApiClients, apiClients, lambdaShare } from '#lib/runtime/api-clients.ts';
import { start } from '#lib/start/start.ts';
import { sweep } from '#lib/sweep/sweep.ts';
import { API_KEY, json, serve } from '../api/support/serve.ts';
import { labSettings } from '../support/export-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { countedLake, type VirtualTime, virtualTime } from '../support/virtual-time.ts';

const LAMBDA_MS = 890_000;

interface RateLab extends AsyncDisposable {
  readonly time: VirtualTime;
  /** When the server got each call, in ms. */
  readonly calls: readonly number[];
  /** A Lambda's call of collect for a batch. */
  readonly collect: (batch: number, more?: { readonly limitMs?: number }) => Promise<number>;
  readonly sweep: (pass: number) => ReturnType<typeof sweep>;
  /** What a batch of a pass is to ask for. */
  readonly batch: (pass: number, batch: number) => ReturnType<typeof readBatch>;
}

interface Setup {
  readonly rate: number;
  readonly width: number;
  /** Players of each batch of the first pass; each is one call. */
  readonly batches: readonly number[];
  readonly latencyMs?: () => number;
  /** How long an answer takes by the real clock, which limits each call. */
  readonly realMs?: number;
}

/** A source whose batches are collected as Lambdas do: each call has clients of its own, and nothing else in common. */
async function rateLab({ rate, width, batches, latencyMs = () => 0, realMs = 0 }: Setup): Promise<RateLab> {
  const calls: number[] = [];
  const clients: ReturnType<ApiClients['client']>[] = [];
  const asked = () => clients.reduce((sum, client) => sum + client.stats().requests, 0);
  let storing = 0;
  const time = virtualTime(new Date('2026-11-21T03:00:00Z'), () => storing > 0 || asked() > calls.length);
  const server = await serve(async (_, response) => {
    calls.push(time.monotonic());
    await time.sleep(latencyMs());
    if (realMs > 0) await sleep(realMs);
    json(response, '[]');
  });
  const folder = await temporaryFolder();
  const lake = countedLake(folderLake(folder.path), (more) => {
    storing += more;
  });
  const settings = labSettings(server.url, {
    signage: { requestsPerSecond: rate, concurrency: Math.min(1000, width * 64) },
  });
  const config = parseConfig(JSON.stringify(settings), 'lab.config.json');
  const local = { ...localServices(lake), now: time.now };
  const started = await start({ sources: ['berlin'] }, { ...local, ...LOCAL_HOLDER, config });
  if (started.kind !== 'started') throw new Error('the lake is not free');
  const place = { ...started.input, source: 'berlin' };
  const groups = batches.map((count, batch): readonly BatchGroup[] => [
    {
      resource: 'screens',
      failures: 0,
      parents: Array.from({ length: count }, (_, index) => `${batch}-${index}`),
    },
  ]);
  await writeBatches(lake, { ...place, pass: 0 }, groups);

  const collect: RateLab['collect'] = async (batch, { limitMs = LAMBDA_MS } = {}) => {
    const ends = time.monotonic() + limitMs;
    const services = { ...local, timeLeft: () => ends - time.monotonic() };
    await using made = apiClients({
      services,
      secrets: { read: async () => ({ apiKey: API_KEY }) },
      random: () => 0.5,
      share: lambdaShare,
      follow: true,
      clock: time,
    });
    const client: ApiClients['client'] = (source, where) => {
      const own = made.client(source, where);
      clients.push(own);
      return own;
    };
    return await collectBatch({ ...place, pass: 0, width, batch }, { ...services, client });
  };
  return {
    time,
    calls,
    collect,
    sweep: (pass) => sweep({ ...place, pass }, local),
    batch: (pass, batch) => readBatch(lake, { ...place, pass, batch }),
    [Symbol.asyncDispose]: async () => {
      await time[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('a batch that has not time for all of its items', () => {
  it('ends its calls 20 s before its time is up, and leaves the rest as not begun, by another try of it too', async () => {
    await using lab = await rateLab({ rate: 1, width: 1, batches: [100] });
    const began = lab.time.monotonic();
    expect(await lab.collect(0, { limitMs: 60_000 })).toBe(1);
    const asked = lab.calls.length;
    expect(asked).toBeGreaterThan(30);
    expect((lab.calls.at(-1) ?? 0) - began).toBeLessThanOrEqual(40_000);
    // As Lambda's own retry, or an attempt that begins where a killed one was.
    expect(await lab.collect(0)).toBe(1);
    expect(lab.calls.length).toBe(asked);
    const { pass, batches } = await lab.sweep(0);
    const left = (await Promise.all(batches.map((batch) => lab.batch(pass, batch)))).flat();
    expect(left.reduce((sum, { parents }) => sum + parents.length, 0)).toBe(100 - asked);
    // For want of time nothing has failed.
    expect(new Set(left.map(({ failures }) => failures))).toEqual(new Set([0]));
  });

  it('keeps the answers of a slow server where its time ends amid calls', async () => {
    await using lab = await rateLab({
      rate: 20,
      width: 1,
      batches: [300],
      latencyMs: () => 3000,
      realMs: 300,
    });
    expect(await lab.collect(0, { limitMs: 27_000 })).toBe(1);
    const asked = lab.calls.length;
    const { pass, batches } = await lab.sweep(0);
    const left = (await Promise.all(batches.map((batch) => lab.batch(pass, batch)))).flat();
    expect(left.reduce((sum, { parents }) => sum + parents.length, 0)).toBe(300 - asked);
  });
});
