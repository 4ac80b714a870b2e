import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#lib/config/parse-config.ts';
import { type FindHeld, keyOf, secretStore } from '#lib/config/secrets.ts';
import { outputOf } from '#lib/runtime/output-of.ts';
import { inPlace } from '#lib/runtime/secret-places.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const KEY = 'a-key-of-tests-0123456789';
const nothing: FindHeld = async (name) => ({
  value: { apiKey: `below:${name}`, key: `a key below: ${name}` },
  where: 'It',
});
const store = () => secretStore(inPlace(nothing));
const sources = (secret: string) =>
  parseConfig(
    JSON.stringify({
      name: 'lab',
      sources: [
        { name: 'a', kind: 'signage', baseUrl: 'https://a.example', secret },
        { name: 'b', kind: 'backup', accountId: '1', baseUrl: 'https://a.example', secret },
      ],
    }),
    'export.config.json',
  ).sources;
describe('a secret that the config names as a place', () => {
  it.each([
    ['a key alone', KEY, 'x-apikey'],
    ['a key with a line break', `${KEY}\n`, 'x-apikey'],
    ['JSON', JSON.stringify({ sessionId: KEY }), 'x-session-id'],
  ])('holds %s, wherever it is', async (_, text, header) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'key');
    await writeFile(file, text);
    process.env['TEST_SIGNAGE_KEY'] = text;
    try {
      for (const name of ['env:TEST_SIGNAGE_KEY', `file:${file}`, `exec:cat "${file}"`]) {
        const [source] = sources(name);
        if (source === undefined) throw new Error('a config with sources');
        const found = keyOf(source, await store().read(source.secret));
        expect(found).toMatchObject({ key: KEY, header: { name: header } });
      }
    } finally {
      delete process.env['TEST_SIGNAGE_KEY'];
    }
  });

  it('is warned of once where others may read its file, but not where a container has it', async () => {
    await using folder = await temporaryFolder();
    const [open, own] = [join(folder.path, 'open'), join(folder.path, 'own')];
    await writeFile(open, KEY, { mode: 0o644 });
    await writeFile(own, KEY, { mode: 0o600 });
    const warnings: string[] = [];
    const warning = secretStore(inPlace(nothing, (says) => warnings.push(says)));
    for (const file of [open, own, open]) await warning.read(`file:${file}`, { fresh: true });
    expect(warnings).toEqual([`Others on this machine may read ${open}: run chmod 600 ${open}.`]);
  });

  it('is not waited for in a FIFO', async () => {
    await using folder = await temporaryFolder();
    const pipe = join(folder.path, 'pipe');
    spawnSync('mkfifo', [pipe]);
    await expect(store().read(`file:${pipe}`)).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
      message: expect.stringContaining('exec:COMMAND'),
    });
  });

  it.each(['__proto__', 'constructor', 'toString'])(
    'is missing in a variable %s that is not set',
    async (name) => {
      await expect(store().read(`env:${name}`)).rejects.toMatchObject({ code: 'SECRET_MISSING' });
    },
  );

  it('is read once, and again where a fresh one is asked for', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'key');
    await writeFile(file, 'old-key');
    const open = store();
    expect(await open.read(`file:${file}`)).toEqual({ key: 'old-key' });
    await writeFile(file, 'new-key');
    expect(await open.read(`file:${file}`)).toEqual({ key: 'old-key' });
    expect(await open.read(`file:${file}`, { fresh: true })).toEqual({ key: 'new-key' });
    expect(await open.read(`file:${file}`)).toEqual({ key: 'new-key' });
  });

  it.each([
    ['env:1', 'env: and the name of a variable, such as "env:SIGNAGE_KEY"'],
    ['file:', 'file: and a path, such as "file:/run/secrets/signage"'],
    ['exec: ', 'exec: and a command, such as "exec:pass show signage"'],
  ])('%s is refused with the config', (secret, due) => {
    expect(() => sources(secret)).toThrow(
      `sources[0].secret is ${JSON.stringify(secret)}, but must be ${due}.`,
    );
  });
});

it.each([
  ['env:NO_SUCH_VARIABLE', 'but the variable NO_SUCH_VARIABLE is not set'],
  ['file:/nowhere/key', 'but that file cannot be read (ENOENT)'],
  ['exec:no-such-command-at-all', 'but that command ended with exit code 127'],
  [
    `exec:echo ${'leaked'}-in-output; echo ${'leaked'}-in-errors >&2; exit 3`,
    'that command ended with exit code 3',
  ],
  ['exec:kill -9 $$', 'that command was ended by SIGKILL'],
  ['exec:echo two; echo words', 'no header carries; copy it again'],
  ['exec:true', 'is empty; put the key there'],
])('where a secret cannot be read, the message says of %s: %s', async (name, says) => {
  const error: unknown = await store()
    .read(name)
    .catch((fault: unknown) => fault);
  if (!(error instanceof Error)) throw new Error('it must be refused');
  expect(error.message).toContain(says);
  const said = `${error.message}${error.stack}${JSON.stringify(error.cause ?? '')}`.replaceAll(name, '');
  expect(said).not.toMatch(/-in-output|-in-errors|two(\n|\\n)words/);
});

describe('a command', () => {
  it('is killed at its limit, with what it began', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'pid');
    const { fault, text } = await outputOf(`sleep 600 & echo $! > "${file}"; echo half; wait`, {
      limitMs: 500,
    });
    expect({ fault, text }).toEqual({ fault: 'was killed after 0.5 s', text: '' });
    const pid = Number(await readFile(file, 'utf8'));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('that writes without end is killed', async () => {
    expect(await outputOf('yes')).toMatchObject({ fault: 'wrote more than 64 KiB', text: '' });
  });
});

/** A process that was killed may stay as a zombie until its new parent asks for it. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim());
}
