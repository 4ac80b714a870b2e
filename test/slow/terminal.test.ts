import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { hasTerminal, onTerminal, placesOf, typedOnTerminal } from '../cli/support.ts';
import { exportLab, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

/** One call after the other, so that a run is still under way when it is ended. */
const SLOW = { ...SIGNAGE_ALONE, signage: { concurrency: 1 } };
const started = (...words: readonly string[]) => spawn(process.execPath, ['cli/main.ts', ...words]);
const ended = async (child: ReturnType<typeof started>) => {
  const streams = [child.stdout, child.stderr].map((stream) => text(stream));
  const [[code], out, err] = await Promise.all([once(child, 'exit'), ...streams]);
  return { code, out: String(out), err: String(err) };
};
/** It said something first, or ended. */
const begun = (child: ReturnType<typeof started>) =>
  Promise.race([once(child.stderr, 'data'), once(child, 'exit')]);

it('a run that Ctrl-C ends says with 130 how it goes on, and that command ends it', async () => {
  await using lab = await exportLab({ players: 5, latencyMs: 200 }, SLOW);
  const lake = { name: join(lab.folder, "Peter's lake") };
  const run = started('run', ...(await placesOf({ ...lab, lake })));
  const end = ended(run);
  await begun(run);
  run.kill('SIGINT');
  const { code, err } = await end;
  expect(code).toBe(130);
  const command = err.match(/To go on where it ended:\n {2}(.*)/)?.[1] ?? '';
  expect(command).toMatch(/run --config .* --lake ".*Peter's lake" --run-time 20.*Z$/);
  const line = command.replace(/^.*?run --config/, `${process.execPath} cli/main.ts run --config`);
  expect((await ended(spawn(line, { shell: true }))).code).toBe(0);
});

it('a repair that Ctrl-C ends says with 130 how it is started again, and status does not take it for a run', async () => {
  await using lab = await exportLab({ players: 5, latencyMs: 200 }, SLOW);
  await lab.simulator.setFaults('denied:1@resource=screens');
  await lab.run('2026-11-20T03:00:00Z');
  await lab.simulator.setFaults('');
  const options = await placesOf(lab);
  const repair = started('repair', ...options);
  const end = ended(repair);
  await begun(repair);
  repair.kill('SIGINT');
  const again = `  npm run -s export -- repair ${options.join(' ')}`;
  const says = `interrupted: committed tables are whole. To complete the command, start it again:\n${again}\n`;
  expect(await end).toMatchObject({ code: 130, err: expect.stringContaining(says) });
  const lines = (await ended(started('status', ...options))).out.split('\n');
  expect(lines[0]).toMatch(/^A command on run 20261120T030000Z \(repair, .*\) was killed\./);
  expect(lines).toContain(again);
  expect(lines.join('\n')).not.toContain('--run-time');
  expect((await ended(started('repair', ...options))).code).toBe(0);
});

it('a reader that stops reading ends a query quietly', async () => {
  await using lab = await exportLab({ players: 3 }, SIGNAGE_ALONE);
  await lab.run('2026-11-20T03:00:00Z');
  const rows = "select repeat('x', 1000) as x from range(20000)";
  const query = started('query', rows, '--format', 'csv', '--lake', join(lab.folder, 'lake'));
  const said = text(query.stderr);
  query.stdout.destroy();
  expect([await once(query, 'exit'), await said]).toEqual([[0, null], '']);
});

it('--log-file gets JSON lines, --quiet shows no progress, --verbose a line for each listing', async () => {
  await using lab = await exportLab({ players: 3 }, SIGNAGE_ALONE);
  const log = join(lab.folder, 'logged');
  const places = await placesOf(lab);
  const run = (...words: readonly string[]) => ended(started('run', ...places, ...words));
  expect(await run('--quiet', '--log-file', log)).toMatchObject({ code: 0, err: '' });
  const err = expect.stringMatching(/^ +\d+\.\d s {2}berlin players: 3 records$/m);
  expect(await run('--verbose', '--log-file', log)).toMatchObject({ code: 0, err });
  const logged = (await readFile(log, 'utf8')).trimEnd().split('\n');
  const lines = logged.map((line) => JSON.parse(line));
  expect(lines.filter(({ run }) => run?.status === 'complete')).toHaveLength(2);
  const stages = lines.map(({ stage }) => stage);
  expect(stages).toEqual(expect.arrayContaining(['list', 'collect', 'plan', 'publish', 'commit']));
  const isTimed = ({ at: time }: { at: string }) => !Number.isNaN(Date.parse(time));
  expect(lines.every((line) => isTimed(line) && line.level === 'info')).toBe(true);
  expect((await ended(started('status', '--log-file', '/nowhere/log'))).err).toBe(
    'LOG_NOT_WRITTEN: --log-file /nowhere/log cannot be written (ENOENT): name a file in a folder that exists.\n',
  );
});

it.runIf(process.platform === 'linux')('a log that takes no line is told of once', async () => {
  await using lab = await exportLab({ players: 1 }, SIGNAGE_ALONE);
  await lab.run('2026-11-20T03:00:00Z');
  const lake = join(lab.folder, 'lake');
  const log = join(lab.folder, 'full.log');
  // The largest file that the process may write has no byte: as on a full disk, the file opens and takes no line.
  const query = started('query', 'nope', '--lake', lake, '--log-file', log);
  execFileSync('prlimit', ['--pid', String(query.pid), '--fsize=0']);
  const said = /^warning: --log-file \S+full\.log gets no more lines \(EFBIG\): .*\nQUERY_INVALID: .*\n$/;
  expect(await ended(query)).toMatchObject({ code: 2, err: expect.stringMatching(said) });
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 0],
] as const)('simulate ends at %s with %i, whatever is still asked of it', async (signal, expected) => {
  const simulator = started('simulate', '--players', '1', '--port', '0', '--latency', '60000', '--json');
  const end = ended(simulator);
  const { url } = JSON.parse(String(await once(simulator.stdout, 'data')));
  const asked = fetch(`${url}/gv2/webservices/API/v1.12/Players`).catch(() => 'broken off');
  simulator.kill(signal);
  expect(await end).toMatchObject({ code: expected, err: '' });
  expect(await asked).toBe('broken off');
});

/** With this a line of stderr begins: a progress bar may be in it. */
const AFRESH = '\r\u001b[K';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const STEERING = /[\u0000-\u0008\u000e-\u001a\u001b\u0080-\u009f\u202a-\u202e]/;

it.runIf(hasTerminal)('nothing steers a terminal, in any format, nor in what a command repeats', async () => {
  await using lab = await exportLab({ players: 3 }, SIGNAGE_ALONE);
  await lab.run('2026-11-20T03:00:00Z');
  const lake = join(lab.folder, 'lake');
  const steering = 'chr(27) || chr(155) || chr(8238) || chr(7)';
  const sql = `select ${steering} || 'x' as "a\u001b]0;x\u0007\u202e", 'y' as "b"`;
  expect(onTerminal(['query', sql, '--lake', lake]).said).toContain('\\u009b\\u202e');
  const words = '\u001b[2J\u009b31m\u202e';
  const { said } = onTerminal(['query', '--format', words, 'players', '--lake', lake]);
  expect(said.replaceAll(AFRESH, '')).not.toMatch(STEERING);
  expect(said).toContain('\\u001b[2J');
  expect(onTerminal(['query', sql, '--format', 'csv', '--lake', lake]).said).not.toMatch(STEERING);
});

it.runIf(hasTerminal)('check asks yes or no, writes what is said, and the next run publishes', async () => {
  const records = Array.from({ length: 12 }, (_, index) => ({ Id: index + 1, Name: `G${index}` }));
  const groups = { body: JSON.stringify({ data: records, pageToken2: 'x7f3a9c1e5' }) };
  await using lab = await signageLab({ [`${SIGNAGE}/AppGroups`]: groups });
  expect((await lab.run('2026-11-20T03:00:00Z')).status).not.toBe('complete');
  const words = ['check', ...(await placesOf(lab))];
  const { said } = await typedOnTerminal(words, [['Is this true', '\u001b[B\r']], { columns: 200 });
  expect(said).toContain('sources[0].resources.app_groups');
  const [source] = JSON.parse(await readFile(join(lab.folder, 'config.json'), 'utf8')).sources;
  expect(Object.keys(source.resources.app_groups)).toHaveLength(1);
  const second = await lab.run('2026-11-21T03:00:00Z', undefined, { ...SIGNAGE_ALONE, signage: source });
  expect([second.status, second.tables['app_groups']?.rows]).toEqual(['complete', 12]);
});
