import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { configNow, keepSchedule } from '#cli/schedule.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { nextDue } from '#lib/config/schedule.ts';
import { labFile } from '../support/export-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const MINUTE = 60_000;

/** A clock that stands until somebody sleeps. */
function fakeClock(start: string) {
  let time = Date.parse(start);
  return {
    now: () => new Date(time),
    sleep: async (ms: number) => {
      time += ms;
    },
    /** What a run takes. */
    pass: (ms: number) => {
      time += ms;
    },
  };
}

it('a config that has become wrong is said, and the one before stays in force', async () => {
  await using folder = await temporaryFolder();
  const config = join(folder.path, 'export.config.json');
  const { text } = labFile('https://signage.example.com');
  await writeFile(config, text);
  const before = await readConfig(config);
  await writeFile(config, text.replace('"schedule"', '"shedule"'));
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(await configNow(config, before)).toBe(before);
  expect(said.mock.calls.join()).toContain('CONFIG_INVALID: ');
  said.mockClear();
  await writeFile(config, text.replace('Europe/Berlin', 'Europe/Paris'));
  expect(await configNow(config, before)).toMatchObject({ timeZone: 'Europe/Paris' });
  expect(said).not.toHaveBeenCalled();
  said.mockRestore();
});

describe('a schedule in the foreground', () => {
  it('runs when it is due, one run at a time, and leaves out what was due meanwhile', async () => {
    const clock = fakeClock('2026-11-22T02:59:30.500Z');
    const due: string[] = [];
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true).mockClear();
    const stop = new AbortController();
    let running = 0;
    await keepSchedule({
      clock,
      dueAfter: async (moment) => nextDue({ schedule: 'cron(0 * * * ? *)', timeZone: 'UTC' }, moment),
      run: async (at) => {
        running += 1;
        expect(running).toBe(1);
        expect(clock.now().getTime()).toBe(at.getTime());
        due.push(at.toISOString().slice(11, 16));
        // The second one lasts beyond the two that are due after it.
        clock.pass(due.length === 2 ? 150 * MINUTE : MINUTE);
        await Promise.resolve();
        running -= 1;
        if (due.length === 4) stop.abort();
      },
      stop: stop.signal,
    });
    expect(due).toEqual(['03:00', '04:00', '07:00', '08:00']);
    expect(said.mock.calls.join()).toContain(
      'the run that was due at 2026-11-22 05:00Z was left out, because the run before it lasted until 2026-11-22 06:30Z',
    );
  });

  it('takes the schedule as it is after each run, and ends where it is never due again', async () => {
    const clock = fakeClock('2026-11-22T00:00:00Z');
    let schedule = 'cron(0 3 * * ? *)';
    const due: string[] = [];
    await keepSchedule({
      clock,
      dueAfter: async (moment) => nextDue({ schedule, timeZone: 'Europe/Berlin' }, moment),
      run: async (at) => {
        due.push(at.toISOString());
        schedule = due.length === 1 ? 'cron(30 4 * * ? *)' : 'cron(0 3 1 1 ? 2026)';
      },
      stop: new AbortController().signal,
    });
    expect(due).toEqual(['2026-11-22T02:00:00.000Z', '2026-11-22T03:30:00.000Z']);
  });
});

it.each([
  // The hour that the clocks leave out, and the one that they repeat.
  ['cron(30 2 * * ? *)', '2027-03-27T12:00:00Z', '2027-03-29T00:30:00.000Z'],
  ['cron(30 2 * * ? *)', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
  ['cron(30 2 * * ? *)', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
  ['cron(0 3 29 2 ? *)', '2026-01-01T00:00:00Z', '2028-02-29T02:00:00.000Z'],
  ['rate(1 day)', '2026-11-22T00:00:00Z', '2026-11-23T00:00:00.000Z'],
])('the next time that a schedule is due: %s after %s is %s', (schedule, after, due) => {
  expect(nextDue({ schedule, timeZone: 'Europe/Berlin' }, new Date(after))?.toISOString()).toBe(due);
});

it.each([
  ['SIGTERM', 0],
  ['SIGINT', 130],
] as const)('%s ends a schedule that waits, with exit code %i', async (signal, code) => {
  await using folder = await temporaryFolder();
  const [config, secrets] = [join(folder.path, 'config.json'), join(folder.path, 'secrets.json')];
  const settings = { backup: null, config: { schedule: 'rate(30 days)' } };
  await writeFile(config, labFile('https://signage.example.com', settings).text);
  await writeFile(secrets, JSON.stringify({ 'lab/berlin': { apiKey: 'key-of-tests' } }), { mode: 0o600 });
  const words = ['cli/main.ts', 'schedule', '--config', config, '--secrets', secrets];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  for await (const text of child.stderr) {
    if (!String(text).includes('the next run is due at')) continue;
    child.kill(signal);
    break;
  }
  expect(await ended).toEqual([code, null]);
});
