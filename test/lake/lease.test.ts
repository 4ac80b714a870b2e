import { hostname } from 'node:os';
import { describe, expect } from 'vitest';
import type { Lake } from '#lib/lake/lake.ts';
import { readLease, releaseLease, renewLease, type TakeLease, takeLease } from '#lib/lake/lease.ts';
import { processHasEnded } from '#lib/runtime/holder.ts';
import { startChild, temporaryFolder } from '../support/lake-children.ts';
import { itWithLake as it } from '../support/temporary-lake.ts';

const at = (time: string) => new Date(`2026-11-21T${time}Z`);
const holder = { host: 'alpha', pid: 4711, startedAt: 'boot pid:[1] 99' };
const first = '20261121T030000Z';
const second = '20261121T040000Z';

function take(lake: Lake, given: Partial<TakeLease> = {}) {
  return takeLease({
    lake,
    runId: first,
    holder,
    holderHasEnded: async () => false,
    now: at('03:00:00'),
    until: at('03:20:00'),
    headAttempt: 0,
    ...given,
  });
}

describe('lease', () => {
  it('is taken, renewed and given back, and counts its takings', async ({ lake }) => {
    const lease = await take(lake);
    expect(lease).toEqual({
      runId: first,
      attempt: 1,
      holder,
      takenAt: '2026-11-21T03:00:00.000Z',
      until: '2026-11-21T03:20:00.000Z',
      released: false,
    });
    expect((await renewLease(lake, lease, at('03:30:00'))).until).toBe('2026-11-21T03:30:00.000Z');
    await releaseLease(lake, lease);
    expect(await readLease(lake)).toMatchObject({ attempt: 1, released: true });
    expect((await take(lake, { runId: second })).attempt).toBe(2);
  });

  it('is refused while it is held, in words that name the run, its holder, the time and the cure', async ({
    lake,
  }) => {
    await take(lake);
    const refusal = (message: string) => expect.objectContaining({ code: 'LEASE_HELD', message });
    await expect(take(lake, { runId: second, now: at('03:19:59') })).rejects.toThrow(
      refusal(
        `Run ${first} has been under way in ${lake.name} since 2026-11-21T03:00:00Z, by process 4711 on alpha, and holds the lease until 2026-11-21T03:20:00Z. Wait until it has ended, or end that process, then start again.`,
      ),
    );
    await take(lake, { now: at('03:20:00'), until: at('03:40:00'), holder: { execution: 'arn:x' } });
    await expect(take(lake, { now: at('03:30:00') })).rejects.toThrow(
      refusal(
        `Run ${first} has been under way in ${lake.name} since 2026-11-21T03:20:00Z, by execution arn:x, and holds the lease until 2026-11-21T03:40:00Z. Wait until it has ended, or stop that execution, then start again.`,
      ),
    );
  });

  it('of another machine says how to end it there, and what to do where that is gone', async ({ lake }) => {
    await take(lake);
    await expect(take(lake, { runId: second, holder: { ...holder, host: 'beta' } })).rejects.toThrow(
      /by process 4711 on alpha.*`kill 4711`.*"released": true into .*state\/lease\.json/,
    );
  });

  it('is renewed by many at once to the latest of their times', async ({ lake }) => {
    const lease = await take(lake);
    const minutes = Array.from({ length: 20 }, (_, each) => 21 + each);
    await Promise.all(minutes.map((minute) => renewLease(lake, lease, at(`03:${minute}:00`))));
    expect((await readLease(lake))?.until).toBe('2026-11-21T03:40:00.000Z');
  });

  it('that expired is renewed while nobody took it, and lost once somebody did', async ({ lake }) => {
    const lease = await take(lake);
    await renewLease(lake, lease, at('03:25:00'));
    const thief = await take(lake, { runId: second, now: at('03:25:00'), until: at('03:45:00') });
    await expect(renewLease(lake, lease, at('03:50:00'))).rejects.toThrow(
      expect.objectContaining({
        code: 'LEASE_LOST',
        message: `Run ${first}, attempt 1, has no lease of ${lake.name} any more: the lease was taken by run ${second}, attempt 2, at 2026-11-21T03:25:00Z. Nothing of this attempt is published; see that run with \`status\`.`,
      }),
    );
    await releaseLease(lake, lease);
    expect(await readLease(lake)).toEqual(thief);
  });

  it('of a later attempt of the same run is neither renewed nor given back by an earlier one', async ({
    lake,
  }) => {
    const earlier = await take(lake);
    const later = await take(lake, { holderHasEnded: async () => true });
    expect(later).toMatchObject({ runId: earlier.runId, attempt: 2 });
    await expect(renewLease(lake, earlier, at('03:50:00'))).rejects.toThrow(
      expect.objectContaining({
        code: 'LEASE_LOST',
        message: expect.stringContaining(`the lease was taken by run ${first}, attempt 2`),
      }),
    );
    await releaseLease(lake, earlier);
    expect(await readLease(lake)).toEqual(later);
  });

  it.for(['', '{"runId": "2026', '{}', '[]'])(
    'that is damaged (%j) says how to mend it',
    async (text, { lake }) => {
      await lake.write('state/lease.json', Buffer.from(text));
      const damaged = expect.objectContaining({
        code: 'LEASE_CORRUPT',
        message: `${lake.name}/state/lease.json is damaged. Make sure that no run is under way, remove that file, and start again.`,
      });
      await expect(take(lake)).rejects.toThrow(damaged);
      await expect(readLease(lake)).rejects.toThrow(damaged);
    },
  );
});

describe('lease between processes', () => {
  it('is won by one of those that start at once', async () => {
    await using folder = await temporaryFolder();
    await using children = new AsyncDisposableStack();
    const racers = [first, second, first, second].map((run) =>
      children.use(startChild('take-lease', folder.path, run)),
    );
    const said = await Promise.all(racers.map((racer) => racer.printed()));
    expect(said.toSorted()).toEqual(['LEASE_HELD', 'LEASE_HELD', 'LEASE_HELD', 'attempt 1']);
  });

  it('is taken at once from a process that was killed, and not from one that lives', async ({ lake }) => {
    await using child = startChild('take-lease', lake.name, first);
    expect(await child.printed()).toBe('attempt 1');
    const held = await readLease(lake);
    expect(held?.holder).toMatchObject({ host: hostname(), pid: child.pid });
    const takeNow = () => take(lake, { now: new Date(), holderHasEnded: processHasEnded });
    await expect(takeNow()).rejects.toThrow(expect.objectContaining({ code: 'LEASE_HELD' }));
    await child.kill();
    expect((await takeNow()).attempt).toBe(2);
  });
});
