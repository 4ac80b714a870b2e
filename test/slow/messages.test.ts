import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulatedConfig, writeSimulatedConfig } from '#cli/simulate.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { secretStore } from '#lib/config/secrets.ts';
import { inFile } from '#lib/config/secrets-file.ts';
import { UsageError } from '#lib/errors.ts';
import { startSimulator } from '#simulator/server.ts';
import {
  cliHere,
  cliProcess,
  cliProcessOf,
  hasTerminal,
  onTerminal,
  placesOf,
  programProcess,
} from '../cli/support.ts';
import { type ExportLab, exportLab } from '../support/export-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';

let lab: ExportLab;
let lake: string;
beforeAll(async () => {
  lab = await exportLab({ players: 3 });
  await lab.run('2026-11-20T03:00:00Z');
  lake = join(lab.folder, 'lake');
});
afterAll(() => lab[Symbol.asyncDispose]());

describe('what is not there', () => {
  it.each(['status', 'query players'])('%s of a lake: LAKE_MISSING', async (line) => {
    const wrong = join(lab.folder, 'laek');
    const stderr = `LAKE_MISSING: There is no lake ${wrong}: did you mean --lake ${lake}?\n`;
    expect(await cliHere(...line.split(' '), '--lake', wrong)).toMatchObject({ status: 2, stderr });
  });

  it('a table: the one that was probably meant', async () => {
    const stderr = 'CONFIG_INVALID: There is no table "licences": did you mean licenses?\n';
    const show = (table: string) => cliHere('schema', 'show', table, '--lake', lake);
    expect(await show('licences')).toMatchObject({ status: 2, stderr });
    const stdout = expect.stringMatching(/^runs +coverage/m);
    expect(await show('runs')).toMatchObject({ status: 0, stdout });
  });
});

describe('nothing hangs', () => {
  it.runIf(process.platform === 'linux')('a run into /proc/x is refused', async () => {
    const of = await placesOf({ ...lab, lake: { name: '/proc/x' } });
    const stderr = expect.stringMatching(
      /^LAKE_NOT_WRITABLE: .*\/proc\/x.* cannot be made: this file system/m,
    );
    expect(await cliHere('run', ...of)).toMatchObject({ status: 1, stderr });
  });

  const isLinux = process.platform === 'linux';
  const init = 'init --kind signage --url https://a.example --key env:X --no-check --config';
  const file = '/proc/x/export.config.json';
  it.runIf(isLinux).each([
    ['simulate --port 0 --write-config /proc/x', '--write-config /proc/x cannot be written'],
    [`${init} ${file}`, `${file} and the files beside it cannot be written`],
    ['bindings', 'The cache /proc/x/signage-export/bindings cannot be made'],
  ])('%s is refused, with its place and cure', (line, says) => {
    const { status, stdout, stderr } = programProcess({ XDG_CACHE_HOME: '/proc/x' }, ...line.split(' '));
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^(CONFIG_NOT_WRITTEN|CONFIG_INVALID): /m);
    expect(stderr).toContain(`${says} (ENOENT): name a`);
  });
});

describe('simulate --write-config', () => {
  it('writes what an export of it needs, the secrets for their owner alone, and again for another port', async () => {
    await using folder = await temporaryFolder();
    const at = join(folder.path, 'new', 'lab');
    for (const _ of ['first', 'second']) {
      const simulator = await startSimulator({ players: 1 });
      const { config, secrets } = await writeSimulatedConfig(at, simulator);
      await simulator.close();
      const { sources } = await readConfig(config);
      expect(sources.map(({ baseUrl }) => baseUrl)).toEqual([simulator.url, simulator.url]);
      expect((await stat(secrets)).mode & 0o777).toBe(0o600);
      const store = secretStore(inFile(secrets));
      expect(await store.read('sim/backup')).toEqual(simulator.secrets.backup);
    }
  });

  it('leaves a config that no simulator wrote', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'export.config.json');
    const mine = JSON.stringify(simulatedConfig('https://a.example')).replaceAll('sim/signage', 'mine');
    await writeFile(file, mine);
    await using stack = new AsyncDisposableStack();
    const simulator = stack.adopt(await startSimulator({ players: 1 }), (each) => each.close());
    const message = `${file} is there already and no simulator wrote it, so it is left alone: name another folder.`;
    const refusal = new UsageError(message, 'FILE_EXISTS');
    await expect(writeSimulatedConfig(folder.path, simulator)).rejects.toThrow(refusal);
    expect(await readFile(file, 'utf8')).toBe(mine);
    expect(existsSync(join(folder.path, 'secrets.json'))).toBe(false);
  });
});

it('a mistake in signage-export itself is one sentence with a code and a line for its keeper, and exit 1', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'broken.json');
  await writeFile(file, '{"name": 5}');
  const breaking = `data:text/javascript,${encodeURIComponent('Map.groupBy = undefined;')}`;
  const words = ['run', '--config', file, '--json'];
  const { status, stdout, stderr } = cliProcessOf(['--import', breaking], ...words);
  const [said, trace = '', ...rest] = stderr.split('\n');
  expect([status, said, ...rest]).toEqual([
    1,
    'INTERNAL_ERROR: signage-export itself made a mistake, and what was committed is unharmed: send the next line, which has no keys, to whoever keeps signage-export, and start the command again.',
    '',
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
  const at = expect.arrayContaining([expect.stringContaining('config-faults.ts')]);
  expect(JSON.parse(trace)).toMatchObject({ version: expect.any(String), name: 'TypeError', at });
});

describe.runIf(hasTerminal)('on a terminal', () => {
  const query = (...words: readonly string[]) => ['query', ...words, '--lake', lake];
  const numbers = 'select range as id, range / 3.0::double as share from range(120)';

  it('80 columns of a view tell what answers its question, times to the minute', async () => {
    const { said } = onTerminal(query('screen_status'));
    expect(said).toMatch(/^player_name +screen +state +since /m);
    expect(said).toMatch(/\n… \d+ more columns \(--format table shows them\): /);
    expect(said).not.toMatch(/\d{4}-\d\d-\d\dT/);
    // Programs get the view's own order, and its values.
    expect((await cliHere(...query('screen_status'))).stdout).toMatch(/^export_source +player_id/);
  });

  it('a long table ends after 50 rows', () => {
    expect(onTerminal(query(numbers)).said).toMatch(/^49 +16.333$\n… 70 more, --all shows them$/m);
    expect(onTerminal(query(numbers, '--all')).said).toContain('(120 rows)');
  });

  it('states have colours, unless NO_COLOR or --color never', () => {
    const status = ['status', '--lake', lake];
    expect(onTerminal(status).said).toContain('\u001b[32mcomplete\u001b[0m');
    expect(onTerminal(status, { environment: { NO_COLOR: '1' } }).said).not.toContain('\u001b[');
    expect(onTerminal([...status, '--color', 'never']).said).not.toContain('\u001b[');
    expect(cliProcess(...status, '--color', 'always').stdout).toContain('\u001b[32mcomplete');
    expect(cliProcess(...status).stdout).not.toContain('\u001b[');
  });
});
