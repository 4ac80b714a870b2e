import { expect, it } from 'vitest';
import { collectReport } from '#lib/report/collect-report.ts';
import { openReport } from '#lib/report/days/open-report.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { type Day, signageViewLab } from '../queries/view-lab.ts';

const DAY_MS = 86_400_000;
const at = (day: number, time = '03:00:00') =>
  new Date(Date.parse(`2026-10-01T${time}Z`) + day * DAY_MS).toISOString().replace('.000', '');

/** Players that were just seen, with one screen each, which is on unless `off` names it. */
function fleet(day: number, ids: readonly number[], off: readonly number[] = []) {
  const LastUpdate = at(day, '02:30:00');
  const shown = (id: number) => ({
    ...{ Id: 1, Number: 1, IsOn: !off.includes(id), LastUpdate },
    LastStatusChange: at(-2, '10:00:00'),
  });
  return {
    players: ids.map((Id) => ({ Id, Name: `P${Id}`, City: 'Bern', LastAccess: LastUpdate })),
    screens: Object.fromEntries(ids.map((id) => [id, [shown(id)]])),
  };
}

/** A page is made on each of some days; on the last it is the one that the views make. */
async function compared(days: number, dayOf: (day: number) => Day | undefined, pages: readonly number[]) {
  await using lab = await signageViewLab({ config: { groups: ['City'], maxShrink: 1 } }, { twins: true });
  for (let day = 0; day < days; day++) {
    const said = dayOf(day);
    if (said === undefined) continue;
    await lab.run(at(day), said, said.twins ? undefined : ['berlin']);
    if (!pages.includes(day)) continue;
    const now = new Date(at(day, '04:00:00'));
    using large = await openReport(lab.lake, { smallBytes: 0 });
    await large.complete();
    using plain = await openTables(lab.lake);
    const { config } = await readRunRecord(lab.lake, plain.head.runId);
    const rounded = (data: object) =>
      JSON.parse(JSON.stringify(data), (_, value) =>
        typeof value === 'number' ? Number(value.toPrecision(12)) : value,
      );
    expect(rounded(await collectReport(large, config, now))).toEqual(
      rounded(await collectReport(plain, config, now)),
    );
  }
}

it.each([
  [
    'a source that is refused for two weeks',
    (day: number) => ({ ...fleet(day, [1]), twins: day < 2 ? fleet(day, [1], [1]) : { refused: true } }),
    [1, 14],
  ],
  [
    'screens that are denied for eleven days and then say since when they are off',
    (day: number) => {
      const { players, screens } = fleet(day, [1, 2], [2]);
      return { players, screens: day >= 2 && day < 13 ? { ...screens, 2: 'denied' } : screens };
    },
    [12, 13, 14],
  ],
  [
    'a screen whose state nobody tells for two weeks',
    (day: number) => {
      const { players, screens } = fleet(day, [1, 2, 3]);
      return {
        players,
        screens: { ...screens, 2: screens[2]?.map((shown) => ({ ...shown, IsOn: day < 2 ? true : null })) },
      };
    },
    [7, 14],
  ],
  [
    'a player that is missing in the first run after days without one',
    (day: number) => (day >= 2 && day < 12 ? undefined : fleet(day, day === 12 ? [1] : [1, 2], [2])),
    [12, 13, 14],
  ],
] as const)('a page made with stored figures knows of %s what the views know', async (_, dayOf, pages) => {
  await compared(15, dayOf as (day: number) => Day | undefined, pages);
});
