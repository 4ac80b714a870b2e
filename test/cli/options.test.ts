import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { addEstimate } from '#cli/estimate.ts';
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
  ['simulate --profile nope', /^--profile 'nope' is unknown; known are reference, .*\.$/],
  ['simulate --fault nope', /^--fault 'nope' is unknown; known are .*truncate.*\.$/],
])('%s', async (line, sentence) => {
  const running = cli(line.startsWith('simulate') ? addSimulate : addEstimate, ...line.split(' '));
  // Which ends the command with exit code 2.
  await expect(running).rejects.toBeInstanceOf(UsageError);
  await expect(running).rejects.toThrow(sentence);
});

it('simulate says that its port is taken', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const running = cli(addSimulate, 'simulate', '--port', String(port));
  await expect(running).rejects.toThrow(
    new UsageError(`--port ${port} is taken: stop what listens there, or name another, 0 for any free one.`),
  );
  server.close();
});
