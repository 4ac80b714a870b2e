import { describe, expect, it } from 'vitest';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { collectBatch } from '#lib/collect/collect.ts';
import { commitHead, readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { readLease, takeLease } from '#lib/lake/lease.ts';
import { writeBatches } from '#lib/run/batch.ts';
import { holdLease } from '#lib/run/keep-lease.ts';
import { readAttempt } from '#lib/run/run-record.ts';
import { withAttempt } from '#lib/start/take-attempt.ts';
import { API_KEY, json, serve } from '../api/support/serve.ts';
import { begin } from '../support/begin.ts';
import { exportLab, labConfig, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { temporaryLake } from '../support/temporary-lake.ts';

const DAY_1 = '2026-11-20T03:00:00Z';
const DAY_2 = '2026-11-21T03:00:00Z';
const RUN = '20261121T030000Z';
const OTHER = '20261121T040000Z';

/** Another run takes the lease, as it may once the lease has expired. */
const takenByAnother = (lake: Lake) =>
  takeLease({
    lake,
    runId: OTHER,
    holder: { execution: 'arn:other' },
    holderHasEnded: async () => true,
    now: new Date(),
    until: new Date(Date.now() + 3_600_000),
    headAttempt: 0,
  });

describe('an attempt', () => {
  it.each(['plan', 'publish'] as const)(
    'publishes nothing where another run was committed while it was in %s',
    async (stage) => {
      await using lab = await exportLab({ players: 3 }, SIGNAGE_ALONE);
      await lab.run(DAY_1);
      let isTime = false;
      const lake: Lake = {
        ...lab.lake,
        read: async (key) => {
          if (key === 'state/head.json' && isTime) {
            isTime = false;
            const stored = await readHead(lab.lake);
            if (stored === undefined) throw new Error('nothing is committed');
            const { tables, ...head } = stored.head;
            const { screens: _, ...others } = tables;
            await commitHead(lab.lake, { ...head, tables: others, runId: OTHER, attempt: 9 }, stored.etag);
          }
          return await lab.lake.read(key);
        },
      };
      let isOver = false;
      const onProgress = (event: { readonly stage: string }) => {
        if (event.stage !== stage || isOver) return;
        isOver = true;
        isTime = true;
      };
      const fenced = expect.objectContaining({
        code: 'COMMIT_FENCED',
        message: expect.stringContaining(`Run ${OTHER} was committed while ${RUN} was under way`),
      });
      await expect(lab.run(DAY_2, { lake, onProgress })).rejects.toThrow(fenced);
      expect((await readHead(lab.lake))?.head).toMatchObject({ runId: OTHER, attempt: 9 });
    },
  );

  it('calls no further player once another run has taken its lease', async () => {
    await using place = await temporaryLake();
    const { lake } = place;
    let isLost = false;
    const renewed = Promise.withResolvers<void>();
    const due = Promise.withResolvers<void>();
    await using server = await serve(async (_, response) => {
      if (!isLost) {
        isLost = true;
        await takenByAnother(lake);
        due.resolve();
        await renewed.promise;
      }
      json(response, '[]');
    });
    const config = labConfig(server.url, { signage: { concurrency: 1 } });
    const watched: Lake = {
      ...lake,
      read: async (key) => {
        const stored = await lake.read(key);
        // The stage's own reading, after which it knows.
        if (key === 'state/lease.json' && isLost) setImmediate(renewed.resolve);
        return stored;
      },
    };
    const clock = { monotonic: () => performance.now(), sleep: () => due.promise };
    const local = { ...localServices(watched), clock };
    await using services = localApiServices(local, { read: async () => ({ apiKey: API_KEY }) });
    const input = await begin({ sources: ['berlin'] }, { ...localServices(lake), config });
    const batch = { ...input, source: 'berlin', pass: 0 };
    const parents = Array.from({ length: 40 }, (_, id) => String(id));
    await writeBatches(lake, batch, [[{ resource: 'screens', failures: 0, parents }]]);
    const lost = expect.objectContaining({ code: 'LEASE_LOST' });
    await expect(collectBatch({ ...batch, width: 1, batch: 0 }, { ...services, clock })).rejects.toThrow(
      lost,
    );
    // Those that were on their way or in the queue.
    expect(server.calls.length).toBeLessThan(5);
  });

  it('keeps its lease for five minutes beyond the time limit of its stage', async () => {
    await using place = await temporaryLake();
    const { lake } = place;
    let now = new Date(DAY_2);
    const services = {
      ...localServices(lake),
      now: () => now,
      timeLeft: () => 10 * 60_000,
    };
    const config = labConfig('https://signage.example.com');
    const input = await begin({ scheduledTime: DAY_2 }, { ...services, config });
    expect((await readLease(lake))?.until).toBe('2026-11-21T03:20:00.000Z');
    now = new Date('2026-11-21T03:15:00Z');
    await using _lease = await holdLease(await readAttempt(lake, input), services);
    expect((await readLease(lake))?.until).toBe('2026-11-21T03:30:00.000Z');
  });

  it('whose start fails gives its lease back, so that the next need not wait', async () => {
    await using place = await temporaryLake();
    const { lake } = place;
    const holding = { holder: { execution: 'arn:mine' }, holderHasEnded: async () => false };
    const services = { ...localServices(lake), ...holding };
    const failing = withAttempt(RUN, services, async () => {
      throw new Error('no room to write the record');
    });
    await expect(failing).rejects.toThrow('no room to write the record');
    expect(await withAttempt(OTHER, services, async ({ attempt }) => attempt)).toBe(2);
  });
});
