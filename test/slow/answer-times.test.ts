import { describe, expect, it } from 'vitest';
import { type Day, signageViewLab, type ViewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';

/** 2026-11-DDTHH:MM:00Z of `DDTHH:MM`. */
const at = (time: string) => `2026-11-${time}:00Z`;
const earlier = (time: string, minutes: number) =>
  new Date(Date.parse(at(time)) - minutes * 60_000).toISOString().replace('.000Z', 'Z');
const fleet = (time: string, screens: object, more: Partial<Day> = {}): Day => ({
  players: [{ Id: 1, LastAccess: earlier(time, 10) }],
  screens: { 1: [{ Id: 1, ...screens }] },
  ...more,
});
const OUTAGES =
  'select started_at, ended_at, started_by, hours, sampling_error_hours from screen_outages order by 1';
/** By day: availability, unknown hours and possible error of the source. */
const SOURCE_DAYS =
  "select availability, unknown_hours, possible_error from availability where level = 'source' and period = 'day' order by period_start";

async function labOf(days: Readonly<Record<string, Day>>): Promise<ViewLab> {
  const lab = await signageViewLab({ config: { timeZone: 'UTC' } });
  for (const [time, day] of Object.entries(days)) await lab.run(at(time), day);
  return lab;
}

describe('an answer counts for when it came', () => {
  it('though the run of a day with several began hours before', async () => {
    const says = (time: string, IsOn: boolean, LastStatusChange: string): Day =>
      fleet(time, { IsOn, LastStatusChange, LastUpdate: earlier(time, 5) }, { hoursPerCall: 1 });
    // The screens answer four hours after the run's time.
    await using lab = await labOf({
      '20T02:00': says('20T06:00', true, at('01T00:00')),
      '20T14:00': says('20T18:00', true, at('01T00:00')),
      '21T02:00': says('21T06:00', false, at('21T04:30')),
      '21T14:00': says('21T18:00', false, at('21T04:30')),
      '22T02:00': says('22T06:00', true, at('21T20:00')),
    });
    expect(await lab.cells(OUTAGES)).toEqual([[at('21T04:30'), at('21T20:00'), 'api', 15.5, 0]]);
  });

  it('where a screen reports through its player, who was read long before', async () => {
    const says = (time: string): Day => fleet(time, { IsOn: true }, { hoursPerCall: 3 });
    await using lab = await labOf({ '20T02:00': says('20T11:00'), '21T02:00': says('21T11:00') });
    expect(await lab.cells('select state from screen_status')).toEqual([['on']]);
    expect(await lab.cells('select distinct state from screen_days')).toEqual([['on']]);
    expect(await lab.cells(OUTAGES)).toEqual([]);
    expect(await lab.cells(SOURCE_DAYS)).toEqual(Array(2).fill([1, 0, 0]));
  });

  it('and the page is as old as the answer in the middle, as where few came hours later', async () => {
    await using lab = await labOf({ '20T02:00': fleet('20T02:00', { IsOn: true }, { hoursPerCall: 1 }) });
    const answers = await lab.cells('select observed_at from outcomes order by 1');
    const { observedAt } = await reportOf(lab.lake, at('20T12:00'));
    expect(answers).toHaveLength(5);
    expect([observedAt]).toEqual(answers[2]);
    expect(observedAt).not.toEqual(answers[4]?.[0]);
  });

  it('and a server whose clock is ahead tells of no second outage', async () => {
    const says = (time: string, IsOn: boolean, since: string): Day =>
      fleet(time, { IsOn, LastStatusChange: at(since), LastUpdate: at(time) });
    await using lab = await labOf({
      '20T03:00': says('20T03:00', true, '01T00:00'),
      '21T03:00': says('21T03:00', false, '21T03:03'),
      '22T03:00': says('22T03:00', false, '21T03:03'),
      '23T03:00': says('23T03:00', true, '22T15:00'),
    });
    expect(await lab.cells('select started_at, ended_at from screen_outages')).toEqual([
      [at('21T03:00'), at('22T15:00')],
    ]);
  });
});

describe('history stands', () => {
  it('where the config says later how the API writes its times', async () => {
    const local = (time: string) => time.replace('Z', '');
    const says = (time: string, more: Partial<Day> = {}): Day => ({
      players: [{ Id: 1, LastAccess: local(earlier(time, 490)) }],
      screens: {
        1: [
          {
            Id: 1,
            IsOn: true,
            LastUpdate: local(earlier(time, 490)),
            LastStatusChange: '2026-10-01T08:00:00',
          },
        ],
      },
      ...more,
    });
    const settings = { timeZone: 'America/Los_Angeles' };
    const times = ['20T03:00', '20T15:00', '21T03:00', '21T15:00'];
    await using lab = await labOf({
      ...Object.fromEntries(times.map((time) => [time, says(time)])),
      '22T03:00': says('22T03:00', { settings }),
    });
    expect(await lab.cells('select * from outages')).toEqual([]);
    expect(await lab.cells(SOURCE_DAYS)).toEqual(Array(3).fill([1, 0, 0]));
  });

  it('where the config says later which column is the state', async () => {
    const times = ['20T02:00', '20T14:00', '21T02:00', '21T14:00', '22T02:00'];
    const columns = { power: { as: 'is_on', values: { ON: true, STANDBY: false } } };
    const screens = { columns, drop: [], mask: [] };
    const days = times.map((time): [string, Day] => [
      time,
      fleet(time, { Power: time.endsWith('14:00') ? 'ON' : 'STANDBY', LastUpdate: earlier(time, 5) }),
    ]);
    await using lab = await labOf(Object.fromEntries(days));
    const settings = { resources: { screens } };
    await lab.run(at('22T14:00'), {
      ...fleet('22T14:00', { Power: 'STANDBY', LastUpdate: earlier('22T14:00', 5) }),
      settings,
    });
    // It was on at noon of the day before.
    const { findings } = await reportOf(lab.lake, at('22T14:00'));
    expect(findings.find(({ id }) => id === 'screens-off')).toBeUndefined();
  });

  it('where an API begins to say when a screen last reported', async () => {
    const days = ['20', '21', '22', '23'].map((day): [string, Day] => {
      const time = `${day}T03:00`;
      const LastUpdate = earlier(time, 5);
      return [time, fleet(time, { IsOn: day !== '21', ...(day === '23' && { LastUpdate }) })];
    });
    await using lab = await labOf(Object.fromEntries(days));
    const states = 'select state from screen_days order by export_date';
    expect(await lab.cells(states)).toEqual([['on'], ['off'], ['on'], ['on']]);
    expect(await lab.cells('select hours from screen_outages')).toEqual([[24]]);
  });

  it('of a player that was removed for some days and is back', async () => {
    const times = ['20T03:00', '21T03:00', '22T03:00', '23T03:00', '24T03:00'];
    const says = (time: string, isThere: boolean): Day => {
      const seen = { LastAccess: earlier(time, 10) };
      const screen = [{ Id: 1, IsOn: true, LastUpdate: earlier(time, 10) }];
      return {
        players: [1, 2, 3, 4, 5].filter((Id) => isThere || Id > 1).map((Id) => ({ Id, ...seen })),
        screens: { 1: screen, 2: screen },
      };
    };
    await using lab = await labOf(
      Object.fromEntries(times.map((time) => [time, says(time, time < '21' || time > '23')])),
    );
    expect(await lab.cells(SOURCE_DAYS)).toEqual(Array(5).fill([1, 0, 0]));
    const known = `select known_hours from availability where key = 'berlin/1/1' and period = 'day' order by period_start`;
    expect(await lab.cells(known)).toEqual([[0], [21], [3]]);
  });
});
