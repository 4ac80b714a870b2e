import { expect, it } from 'vitest';
import { reportOf } from '../report/report-of.ts';
import { hoursFile } from './hours-file.ts';
import { signageViewLab } from './view-lab.ts';

const day = (time: string) => `2026-11-20T${time}:00Z`;

/** Of two players of ACME the one in Bern has opening hours. The other one's screen goes off between two runs. */
async function acme() {
  await using file = await hoursFile(['Bern,Mon-Sun,08:00,18:00,UTC']);
  const lab = await signageViewLab({
    config: { groups: ['City', 'CustomId'], timeZone: 'UTC', hours: file.path },
  });
  for (const [time, isOn] of [
    [day('10:00'), true],
    [day('20:00'), false],
  ] as const)
    await lab.run(time, {
      players: ['Bern', 'Aue'].map((City, index) => ({
        Id: index + 1,
        City,
        CustomId: 'ACME',
        LastAccess: time,
      })),
      screens: {
        1: [{ Id: 1, IsOn: true, LastUpdate: time }],
        2: [{ Id: 1, IsOn: isOn, LastUpdate: time }],
      },
    });
  return lab;
}

it('a group is ranked by all its players: by open hours where there are any, by all hours elsewhere', async () => {
  await using lab = await acme();
  expect(
    await lab.cells(`
      select judged_hours, round(availability, 6)
      from availability where level = 'group' and period = 'day' and key = 'custom_id=ACME'`),
  ).toEqual([[18, 0.722222]]);
  const { tables } = await reportOf(lab.lake, day('21:00'));
  const { columns = [], rows = [] } = tables.find(({ id }) => id === 'places') ?? {};
  const place = (label: string) => columns.findIndex((column) => column.label === label);
  expect(
    rows.map((row) => [
      row[place('Place')],
      Number(row[place('On')]).toFixed(3),
      row[place('Counted hours')],
    ]),
  ).toEqual([
    ['city=Aue', '0.500', 10],
    ['custom_id=ACME', '0.722', 18],
    ['city=Bern', '1.000', 8],
  ]);
});
