import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { historyLab, same } from '../support/history-lab.ts';

/** As hexadecimal text, half of it is left when it is packed. */
const large = () => randomBytes(1_000_000).toString('hex');
/** Bytes: enough for what all others send, and not for the large text. */
const ROOM = 500_000;

test('raw that would fill the disk sets its source aside in plan, all others are committed', async () => {
  await using lab = await historyLab();
  await lab.run('2026-11-20T03:00:00Z', { totals: same('10', '20') });
  const hidden = large();
  const summary = await lab.run('2026-11-21T03:00:00Z', { totals: same('11', '21'), hidden }, { room: ROOM });
  expect(summary.status).toBe('partial');
  const [berlin, hostile, paris] = summary.sources;
  expect([berlin, paris]).toMatchObject([{ status: 'complete' }, { status: 'complete' }]);
  expect(hostile).toMatchObject({
    outcomes: { failed: 1 },
    error: {
      code: 'SOURCE_SET_ASIDE',
      message: expect.stringMatching(/MiB\) have no room on the disk of plan/),
    },
  });
  const totals = async (name: string) => (await lab.daily(name)).slice(2).map(([, , total]) => total);
  expect(await totals('berlin')).toEqual([11, 21]);
  // The rows of before stay.
  expect(await totals('hostile')).toEqual([10, 20]);
  const removed = "select count(*) from changes where change = 'removed'";
  expect(await lab.rows(removed)).toEqual([[0]]);
  const status = await lab.cli('status');
  expect(status.stdout).toContain('SOURCE_SET_ASIDE');

  expect(await lab.run('2026-11-22T03:00:00Z', { totals: same('12', '22') }, { room: ROOM })).toMatchObject({
    status: 'complete',
  });
}, 120_000);
