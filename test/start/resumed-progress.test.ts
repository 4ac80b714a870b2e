import { expect, test } from 'vitest';
import type { ProgressEvent } from '#lib/runtime/services.ts';
import { exportLab } from '../support/export-lab.ts';

/** The sums of what a run's events say. */
function sums() {
  const said = { items: 0, done: 0 };
  const on = (event: ProgressEvent) => {
    if (event.stage === 'listed' || event.stage === 'kept') said.items += event.items;
    if (event.stage === 'collect' || event.stage === 'kept') said.done += event.done;
  };
  return { said, on };
}

test('a run that goes on knows how many items there are and how many of them were asked for', async () => {
  await using lab = await exportLab({ players: 40 });
  const whole = sums();
  const cut = new Error('cut off');
  await expect(
    lab.run('2026-11-20T03:00:00Z', {
      onProgress: (event) => {
        whole.on(event);
        if (event.stage === 'plan') throw cut;
      },
    }),
  ).rejects.toBe(cut);
  expect(whole.said.items).toBeGreaterThan(80);
  const resumed = sums();
  await lab.run('2026-11-20T03:00:00Z', { onProgress: resumed.on });
  expect(resumed.said).toEqual({ items: whole.said.items, done: whole.said.items });
});
