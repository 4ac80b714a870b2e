import { describe, expect, it } from 'vitest';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { runLocally } from '#cli/run-locally.ts';
import { takeLease } from '#lib/lake/lease.ts';
import { thisProcess } from '#lib/runtime/holder.ts';
import { contentHash } from '../../scripts/content-hash.ts';
import { type ExportLab, exportLab, labSecrets } from '../support/export-lab.ts';

const DAY_1 = '2026-11-20T03:00:00Z';
const DAY_2 = '2026-11-21T03:00:00Z';

const codesOf = (ended: readonly PromiseSettledResult<unknown>[]) =>
  ended.map((each) => (each.status === 'fulfilled' ? 'done' : each.reason.code)).sort();

describe('starts', { timeout: 60_000 }, () => {
  it.each([
    ['of two runs', [DAY_1, DAY_2]],
    ['of the same run', [DAY_1, DAY_1]],
  ])('two at once %s: one goes, the other hears who has the lease', async (_, times) => {
    await using lab = await exportLab({ players: 21 });
    const ended = await Promise.allSettled(times.map((time) => lab.run(time)));
    expect(codesOf(ended)).toEqual(['LEASE_HELD', 'done']);
    expect(await lab.rows('select count(*) n from players')).toEqual([{ n: 21 }]);
    const refused = ended.find((each) => each.status === 'rejected');
    expect(refused?.reason.message).toMatch(
      /has been under way .* by process \d+ on .*Wait until it has ended/,
    );
  });

  it('a committed run started twice at once answers both times, and asks nothing', async () => {
    await using lab = await exportLab({ players: 21 });
    const first = await lab.run(DAY_1);
    lab.simulator.stats.reset();
    expect(await Promise.all([lab.run(DAY_1), lab.run(DAY_1)])).toEqual([first, first]);
    expect(lab.simulator.stats.requests).toBe(0);
  });

  it('an old run id after a newer commit is refused', async () => {
    await using lab = await exportLab({ players: 21 });
    await lab.run(DAY_2);
    await expect(lab.run(DAY_1)).rejects.toThrow(
      expect.objectContaining({
        code: 'RUN_COVERED',
        message: expect.stringContaining('a newer run has covered it'),
      }),
    );
  });

  it.each(['collect', 'plan', 'publish'] as const)(
    'a lease that was taken while a slow run was in %s ends that run; the other loses nothing',
    async (stage) => {
      await using lab = await exportLab({ players: 21 });
      await lab.run(DAY_1);
      const before = await contentHash(lab.lake);
      let stolen = 0;
      await using services = localApiServices(
        localServices(lab.lake, (event) => {
          if (event.stage === stage && stolen === 0) stolen = 1;
        }),
        labSecrets(lab.simulator),
      );
      const slow = runLocally(
        { scheduledTime: DAY_2 },
        {
          ...services,
          lake: stealing(
            lab,
            () => stolen === 1,
            () => {
              stolen = 2;
            },
          ),
          config: lab.config,
        },
      );
      await expect(slow).rejects.toThrow(
        expect.objectContaining({ code: expect.stringMatching(/LEASE_LOST|COMMIT_FENCED|RUN_SUPERSEDED/) }),
      );
      expect(await contentHash(lab.lake)).toEqual(before);
      await lab.lake.remove(['state/lease.json']);
      expect((await lab.run('2026-11-22T03:00:00Z')).status).toBe('complete');
    },
  );
});

/** The lab's lake; once it is time, another run takes the lease before the next read of it. */
function stealing(lab: ExportLab, isTime: () => boolean, onStolen: () => void): ExportLab['lake'] {
  return {
    ...lab.lake,
    read: async (key) => {
      if (key === 'state/lease.json' && isTime()) {
        onStolen();
        await takeLease({
          lake: lab.lake,
          runId: '20261121T040000Z',
          holder: thisProcess(),
          holderHasEnded: async () => true,
          now: new Date(),
          until: new Date(Date.now() + 3_600_000),
          headAttempt: 1,
        });
      }
      return lab.lake.read(key);
    },
  };
}
