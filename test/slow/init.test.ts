import { execFile } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configSchema } from '#cli/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { cliHere, hasTerminal, typedOnTerminal } from '../cli/support.ts';
import { temporaryFolder } from '../support/lake-children.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ players: 5, profile: 'backup-2023' });
});
afterAll(() => simulator.close());

/** `init` in a folder of its own; the simulator is in this process, which must not wait for the other. */
async function init(folder: string, words: readonly string[], stdin = '') {
  const args = [join(process.cwd(), 'cli/main.ts'), 'init', ...words];
  const running = promisify(execFile)(process.execPath, args, { cwd: folder });
  running.child.stdin?.end(stdin);
  return await running.then(
    ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ status: Number(code), stdout: String(stdout), stderr: String(stderr) }),
  );
}

const json = async (file: string) => JSON.parse(await readFile(file, 'utf8'));
const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

describe('init', () => {
  it('writes config, key and schema, writes what check proposes, and says a command that can be pasted', async () => {
    await using folder = await temporaryFolder();
    const at = (name: string) => join(folder.path, name);
    const asked = ['--kind', 'backup', '--url', simulator.url, '--account-id', '1042', '--name', 'vault'];
    const { accessToken } = simulator.secrets.backup;
    const { status, stdout } = await init(folder.path, [...asked, '--key', '-'], accessToken);
    expect(stdout).toContain('Wrote export.config.json, secrets.json, export.config.schema.json.');
    expect(stdout).toMatch(/\nNext:\n {2}npm run -s export -- run\n$/);
    expect(stdout).toMatch(/Written into export\.config\.json:\n {2}sources\[0\]\./);
    expect(status).toBe(0);
    expect(await modeOf(at('secrets.json'))).toBe(0o600);
    const written = await json(at('export.config.json'));
    expect(JSON.stringify(written)).not.toContain(accessToken);
    expect(written).toMatchObject({ $schema: './export.config.schema.json', name: 'signage' });
    const due = { sources: [{ name: 'vault', kind: 'backup', secret: 'signage-export/vault' }] };
    expect(await readConfig(at('export.config.json'))).toMatchObject(due);
    const again = await init(folder.path, [...asked, '--key', 'env:X']);
    const stderr = expect.stringMatching(/^FILE_EXISTS: export\.config\.json is there/);
    expect(again).toMatchObject({ status: 2, stderr });
  });

  it('says which file has a key that the server refuses, where nobody can type another', async () => {
    await using folder = await temporaryFolder();
    const words = ['--kind', 'signage', '--url', simulator.url, '--key', '-'];
    const stderr = expect.stringContaining('it refuses the apiKey of signage that is in secrets.json.');
    expect(await init(folder.path, words, 'a-wrong-key')).toMatchObject({ status: 1, stderr });
  });

  it('takes an address with http:// only if somebody accepts it', async () => {
    await using folder = await temporaryFolder();
    const words = ['--kind', 'signage', '--url', 'http://signage.internal', '--key', 'env:X', '--no-check'];
    const stderr = expect.stringContaining('Write https://, or accept that with --allow-http.');
    expect(await init(folder.path, words)).toMatchObject({ status: 2, stderr });
    expect(await readdir(folder.path)).toEqual([]);
    expect(await init(folder.path, [...words, '--allow-http'])).toMatchObject({ status: 0 });
    const { sources } = await readConfig(join(folder.path, 'export.config.json'));
    expect(sources).toMatchObject([{ baseUrl: 'http://signage.internal', allowHttp: true }]);
  });

  it('takes the whole address, and adds a second source with its key next to the first', async () => {
    await using folder = await temporaryFolder();
    const at = (name: string) => join(folder.path, name);
    const whole = `${simulator.url}/gv2/webservices/API/v1.12/Players`;
    const { apiKey } = simulator.secrets.signage;
    const berlin = ['--kind', 'signage', '--url', whole, '--name', 'berlin', '--key', '-'];
    const first = await init(folder.path, berlin, apiKey);
    expect(first).toMatchObject({ status: 0, stderr: expect.stringContaining(`Asking ${simulator.url} …`) });
    const { accessToken } = simulator.secrets.backup;
    const words = ['--add', '--kind', 'backup', '--url', simulator.url, '--account-id', '1042'];
    const vault = [...words, '--name', 'vault', '--key', '-'];
    const second = await init(folder.path, vault, accessToken);
    const stdout = expect.stringContaining('Wrote export.config.json, secrets.json.');
    expect(second).toMatchObject({ status: 0, stdout });
    const { sources } = await readConfig(at('export.config.json'));
    const baseUrl = simulator.url;
    expect(sources).toMatchObject(['berlin', 'vault'].map((name) => ({ name, baseUrl })));
    const kept = { 'signage-export/berlin': { apiKey }, 'signage-export/vault': { accessToken } };
    expect(await json(at('secrets.json'))).toEqual(kept);
    expect(await modeOf(at('secrets.json'))).toBe(0o600);
    const before = await json(at('export.config.json'));
    const stderr = expect.stringContaining('--name is the name of another source');
    expect(await init(folder.path, vault, accessToken)).toMatchObject({ status: 2, stderr });
    expect(await json(at('export.config.json'))).toEqual(before);
  });

  it.each([
    ['--kind signge', '--kind "signge" is no kind of API: did you mean signage?'],
    ['', 'init cannot ask for --kind without a terminal: give --kind in the command.'],
    ['--kind signage --url x --key sim-api-key-5d0c7e91', '--key does not say where the key is: write env:'],
    ['--kind signage --url https://a.example --account-id 1 --key env:A', 'has no setting accountId: leave'],
    // Before anything is asked for that comes later.
    ['--kind backup --url a.example', 'CONFIG_INVALID: --url is "a.example", but must be https'],
  ])('%j is refused, and writes nothing', async (line, says) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'export.config.json');
    const words = line.split(' ').filter(Boolean);
    const { status, stderr } = await cliHere('init', ...words, '--config', file);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(says) });
    expect(stderr).not.toContain('5d0c7e91');
    expect(await readdir(folder.path)).toEqual([]);
  });
});

it.runIf(hasTerminal)(
  'on a terminal a key that the server refuses is asked for again, and put in place of the other',
  async () => {
    await using folder = await temporaryFolder();
    const words = ['--kind', 'signage', '--name', 'berlin', '--url', simulator.url];
    const { apiKey } = simulator.secrets.signage;
    const typed = {
      ...{ 'Which kind of key do you have': '\r', 'The apiKey': 'wrong-key-4711\r' },
      ...{ 'Which kind of key': '\r', 'Another apiKey': `${apiKey}\r` },
    };
    const line = ['init', ...words, '--config', join(folder.path, 'export.config.json')];
    const { status, said } = await typedOnTerminal(line, Object.entries(typed), { columns: 120 });
    expect(said).toMatch(/answers 401: it refuses the apiKey of berlin that is in \S+secrets\.json/);
    for (const key of [apiKey, 'wrong-key-4711']) expect(said).not.toContain(key);
    expect(status).toBe(0);
    const kept = { 'signage-export/berlin': { apiKey } };
    expect(await json(join(folder.path, 'secrets.json'))).toEqual(kept);
  },
);

it('the JSON schema takes what the program takes', async () => {
  const validate = new Ajv({ strict: false, allErrors: true }).compile(configSchema());
  const source = { name: 'a', kind: 'signage', baseUrl: 'https://a.example', secret: 'env:KEY' };
  const right = { $schema: './export.config.schema.json', name: 'signage', sources: [source] };
  const page = await readFile('docs/use/config.md', 'utf8');
  const blocks = [...page.matchAll(/```json\n(\{[\s\S]*?\n\})\n```/g)];
  const whole = blocks.map(([, text = '']) => JSON.parse(text)).filter((example) => 'sources' in example);
  expect(whole.length).toBeGreaterThan(0);
  for (const example of [right, ...whole]) expect(validate(example)).toBe(true);
});

it('config validate calls nothing', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'export.config.json');
  const baseUrl = 'https://no-such-host.invalid';
  const source = { name: 'a', kind: 'signage', baseUrl, secret: 'exec:exit 7' };
  await writeFile(file, JSON.stringify({ name: 'signage', sources: [source] }));
  expect(await cliHere('config', 'validate', '--config', file)).toMatchObject({
    status: 0,
    stdout: `${file} is right: signage has the sources a (signage). To see whether they answer, run \`check\`.\n`,
  });
});
