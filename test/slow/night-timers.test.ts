import { expect, it } from 'vitest';
import { hoursFile } from '../queries/hours-file.ts';
import { signageViewLab } from '../queries/view-lab.ts';
import { sqlOfQuestion } from '../support/sql-of-questions.ts';

const HOUR_MS = 3_600_000;
/** Timers switch off at 20:00 and on at 08:00 in Berlin, when Bern opens. */
const OFF_AT = 19 * HOUR_MS;
const RUNS = [11, 12, 13, 14, 15].map((day) => `2026-11-${day}T04:00:00Z`);
/** For a day, the screen of the second player is broken. */
const BROKEN_SINCE = '2026-11-12T09:00:00.000Z';

it('no outage of a question is a night timer, where the place has opening hours', async () => {
  await using hours = await hoursFile(['Bern,Mon-Sun,08:00,20:00,Europe/Berlin']);
  await using lab = await signageViewLab({
    config: { groups: ['City'], hours: hours.path, timeZone: 'Europe/Berlin' },
  });
  for (const at of RUNS) {
    const midnight = Date.parse(`${at.slice(0, 10)}T00:00:00Z`);
    const evening = new Date(midnight - 24 * HOUR_MS + OFF_AT).toISOString();
    const screen = (Id: number) => {
      const isBroken = Id === 2 && at.startsWith('2026-11-13');
      return { Id, IsOn: false, LastUpdate: at, LastStatusChange: isBroken ? BROKEN_SINCE : evening };
    };
    await lab.run(at, {
      players: [
        ...[1, 2].map((Id) => ({ Id, Name: `P${Id}`, City: 'Bern', LastAccess: at })),
        { Id: 3, Name: 'P3', City: 'Aue', LastAccess: at },
        // These sleep themselves.
        { Id: 4, Name: 'P4', City: 'Bern', LastAccess: evening },
        { Id: 5, Name: 'P5', City: 'Aue', LastAccess: evening },
      ],
      screens: Object.fromEntries([1, 2, 3].map((Id) => [Id, [screen(Id)]])),
    });
  }
  const ask = async (question: string) => await lab.rows(sqlOfQuestion(question));
  expect(await ask('Which screens flap?')).toMatchObject([{ screen_key: 'berlin/3/3', outages: 5 }]);
  // Four nights in Aue began after the first sight.
  const back = await ask('How long until a screen is back, and how long until the next outage?');
  expect(back).toMatchObject([{ outages: 5 }]);
  const again = await ask('Which players are offline again and again?');
  expect(again).toMatchObject([{ player_name: 'P5', outages: 5 }]);
});
