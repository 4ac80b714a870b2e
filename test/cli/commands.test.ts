import { describe, expect, it } from 'vitest';
import { addEstimate } from '#cli/estimate.ts';
import { commandOf } from '#cli/options.ts';
import { addRebuild } from '#cli/rebuild.ts';
import { parseRunTime, refuseBackdated } from '#cli/run.ts';
import { addSimulate } from '#cli/simulate.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { UsageError } from '#lib/errors.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import { labFile } from '../support/export-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { cli, cliHere, cliProcess } from './support.ts';

/** The commands of the contract. */
const COMMANDS = [
  ...'init run check config status query report views simulate demo estimate repair rebuild'.split(' '),
  ...'rollback purge schema catalog secret smoke completion'.split(' '),
];

it('the command line has every command of the contract', async () => {
  const listed = (...words: readonly string[]) => {
    const { status, stdout } = cliProcess(...words);
    expect(status).toBe(0);
    return [...stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name);
  };
  expect(listed('--help', 'all')).toEqual(expect.arrayContaining(COMMANDS));
  // The first help names what is used every day, and says how to see the others.
  const daily = ['init', 'check', 'run', 'status', 'query', 'report', 'schedule', 'repair'];
  expect(listed('--help')).toEqual(daily);
  expect(cliProcess('help').stdout).toContain(' --help all shows ');
  const stdout = expect.stringMatching(/^\d+\.\d+\.\d+\n$/);
  expect(cliProcess('--version')).toMatchObject({ status: 0, stdout });
  expect((await cliHere('schema', '--help')).stdout).toMatch(/ show .*apply /s);
});

describe('--run-time', () => {
  const now = new Date('2026-11-21T12:00:00Z');

  it('R12: a time further in the past than a run of the schedule needs --backdate, unless its run has begun', async () => {
    await using place = await temporaryFolder();
    const folder = place.path;
    const { text, file } = labFile('http://127.0.0.1:1');
    const config = parseConfig(text, file);
    const lake = folderLake(folder);
    const refuse = (time: string) => refuseBackdated(new Date(time), { config, lake, now });
    await refuse('2026-11-20T12:30:00Z');
    await expect(refuse('2026-11-19T03:00:00Z')).rejects.toMatchObject({
      code: 'RUN_BACKDATED',
      message: expect.stringContaining('--backdate'),
    });
    await lake.write(
      lakeKey('raw', { runId: '20261119T030000Z', source: 'berlin', resource: 'players', pass: 0, batch: 0 }),
      Buffer.from('x'),
    );
    await refuse('2026-11-19T03:00:00Z');
  });

  it.each([
    ['2026-11-21T03:00:00Z', '2026-11-21T03:00:00.000Z'],
    ['2026-11-21T03:00:00+01:00', '2026-11-21T02:00:00.000Z'],
    ['2026-11-22T03:00:00Z', '2026-11-22T03:00:00.000Z'],
  ])('%s is a moment', (text, moment) => {
    expect(parseRunTime(text, now).toISOString()).toBe(moment);
  });

  it.each([
    ['2026-02-30T03:00:00Z', 'not a time with a time zone'],
    ['2026-11-31T03:00:00Z', 'not a time with a time zone'],
    ['2026-11-21T03:00:00', 'not a time with a time zone'],
    ['2026-11-21', 'not a time with a time zone'],
    ['yesterday', 'not a time with a time zone'],
    ['2999-01-01T00:00:00Z', "more than a day ahead of this machine's clock (2026-11-21T12:00:00Z)"],
  ])('%s is refused', (text, says) => {
    expect(() => parseRunTime(text, now)).toThrow(says);
  });
});

const DUE = {
  players: 'a whole number from 0 to 1000000',
  seed: 'a whole number from 0 to 4294967295',
  port: 'a whole number from 0 to 65535',
  day: 'a whole number from 0 to 3650',
};
const wrong = (option: string, value: string, due: string) =>
  `--${option} is "${value}", but must be ${due}.`;

it.each([
  ['simulate --players abc', wrong('players', 'abc', DUE.players)],
  ['simulate --players -1', wrong('players', '-1', DUE.players)],
  ['simulate --seed x', wrong('seed', 'x', DUE.seed)],
  ['simulate --day -3', wrong('day', '-3', DUE.day)],
  ['simulate --port 99999', wrong('port', '99999', DUE.port)],
  ['simulate --latency 1e3', wrong('latency', '1e3', 'a whole number from 0 to 600000')],
  ['simulate --fault 500:2', "--fault '500:2': a rate is a number from 0 to 1, not '2'."],
  ['estimate --players -1', wrong('players', '-1', DUE.players)],
  ['estimate --players abc', wrong('players', 'abc', DUE.players)],
  ['estimate --players 1.5', wrong('players', '1.5', DUE.players)],
  ['estimate --players 1e12', wrong('players', '1e12', DUE.players)],
  ['estimate --latency x', wrong('latency', 'x', 'a number from 0.001 to 3600')],
  ['estimate --records -1', wrong('records', '-1', 'a number from 0 to 1000000')],
  ['simulate --fault nope', /^--fault 'nope' is unknown; known are /],
  ['simulate --profile odta', "--profile 'odta' is unknown; did you mean odata?"],
  ['simulate --fault goen:0.1', "--fault 'goen' is unknown; did you mean gone?"],
  ['simulate --profile nope', /^--profile 'nope' is unknown; known are reference, .*\.$/],
  ['simulate --fault chaos', /^--fault 'chaos' is unknown; known are .*truncate.*\.$/],
])('%s', async (line, sentence) => {
  const running = cli(line.startsWith('simulate') ? addSimulate : addEstimate, ...line.split(' '));
  // Which ends the command with exit code 2.
  await expect(running).rejects.toBeInstanceOf(UsageError);
  await expect(running).rejects.toThrow(sentence);
});

it.each(['s3:/bucket', 'S3://bucket', 's3://', 's3:bucket', 'gs://bucket', 'file:///srv/lake'])(
  'a place that is neither a folder nor on S3 is no lake: %s',
  async (place) => {
    await expect(cli(addEstimate, 'estimate', '--lake', place)).rejects.toThrow(
      new UsageError(wrong('lake', place, 'a folder, or s3://bucket/prefix')),
    );
  },
);

it.each([...'2026-02-30 2026-13-01 2025-02-29 2026-2-3 20261120 yesterday 2026-11-20T03:00:00Z'.split(' ')])(
  'a day that no calendar has is refused before anything is read: --from %s',
  async (day) => {
    const due = 'a day of the calendar, written YYYY-MM-DD';
    await expect(cli(addRebuild, 'rebuild', '--from', day)).rejects.toThrow(
      new UsageError(wrong('from', day, due)),
    );
  },
);

it('a folder of Windows and one with a colon are places of a lake', async () => {
  const places = ['C:/lake', 'C:\\lake', './a:b', 'a:b', '/s3:/x', 's3://bucket', 's3://bucket/prefix'];
  const taken: string[] = [];
  const take = commandOf({}, ({ lake }) => void taken.push(lake));
  for (const place of places) await cli(take, 'status', '--lake', place);
  expect(taken).toEqual(places);
});

it('a word that is empty, as that of a variable that is not set, is no value of any option', async () => {
  const says = (option: string) =>
    `${option} is empty, perhaps because a variable in it is not set: give it a value, or leave it out.`;
  for (const option of ['--lake', '--config', '--secrets', '--records'])
    await expect(cli(addEstimate, 'estimate', option, '')).rejects.toThrow(new UsageError(says(option)));
});
