import { expect, it } from 'vitest';
import { addEstimate } from '#cli/estimate.ts';
import { commandOf } from '#cli/options.ts';
import { addRebuild } from '#cli/rebuild.ts';
import { addSimulate } from '#cli/simulate.ts';
import { UsageError } from '#lib/errors.ts';
import { cli } from './support.ts';

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
