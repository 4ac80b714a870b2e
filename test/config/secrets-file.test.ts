import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test, vi } from 'vitest';
import { openSecrets } from '#cli/local-services.ts';
import { secretStore, secretToPut } from '#lib/config/secrets.ts';
import { inFile } from '#lib/config/secrets-file.ts';
import { UsageError } from '#lib/errors.ts';
import { SECRET_EXAMPLE, SECRET_FORMS } from '#lib/sources/kinds.ts';
import { temporaryFolder } from '../support/lake-children.ts';

async function fileOf(folder: string, text: string): Promise<string> {
  const file = join(folder, 'secrets.json');
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

it.each<[string, string, string]>([
  [
    '{"b": {"apiKey": "leaked"}}',
    'SECRET_MISSING',
    `FILE has no secret "a"; add it as "a": ${SECRET_EXAMPLE}.`,
  ],
  ...['"leaked"', '["leaked"]', 'null'].map((secret): [string, string, string] => [
    `{"a": ${secret}}`,
    'SECRET_INVALID',
    `The secret "a" in FILE holds none of ${SECRET_FORMS.join(', ')}; write it as ${SECRET_EXAMPLE}.`,
  ]),
  [
    '{"a": {"apiKey": "leaked", "sessionId": "leaked"}}',
    'SECRET_INVALID',
    'The secret "a" in FILE holds apiKey and sessionId; leave one of them.',
  ],
  ...['1234567', '""'].map((key): [string, string, string] => [
    `{"a": {"apiKey": ${key}}}`,
    'SECRET_INVALID',
    'The secret "a" in FILE has no text as its apiKey; write it as {"apiKey": "…"}.',
  ]),
  [
    '{"a": {"accessToken": "leaked\\n"}}',
    'SECRET_INVALID',
    'The secret "a" in FILE has a blank, a line break or another character in its accessToken that no header carries; copy it again.',
  ],
  [
    '{"a": "leaked',
    'SECRETS_UNREADABLE',
    'FILE is no JSON: line 1, column 7: this text has no closing quote, or a line break, tab or backslash that JSON does not allow.',
  ],
  [
    '["leaked"]',
    'SECRETS_UNREADABLE',
    'FILE must be a JSON object from secret name to secret, such as {"signage-export/berlin": {"apiKey": "…"}}.',
  ],
])('secrets file of %j says what is wrong and no value', async (text, code, message) => {
  await using folder = await temporaryFolder();
  const file = await fileOf(folder.path, text);
  const error: unknown = await secretStore(inFile(file))
    .read('a')
    .catch((thrown: unknown) => thrown);
  expect(error).toEqual(new UsageError(message.replace('FILE', file), code));
  expect(String(error)).not.toMatch(/leaked|1234567/);
  expect(error).toHaveProperty('cause', undefined);
});

describe('a command that opens a secrets file which others may read', () => {
  const open = async (uid: number, ci: string) => {
    await using folder = await temporaryFolder();
    const file = await fileOf(folder.path, '{}');
    await chmod(file, 0o644);
    const said: string[] = [];
    vi.stubEnv('CI', ci);
    const spies = [
      vi.spyOn(process, 'getuid').mockReturnValue(uid),
      vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0),
    ];
    try {
      await openSecrets(file);
      return said.join('').replace(folder.path, '');
    } finally {
      vi.unstubAllEnvs();
      for (const spy of spies) spy.mockRestore();
    }
  };

  it('warns', async () => {
    expect(await open(1000, '')).toMatch(/^warning: Others on this machine may read/);
  });

  it.each([
    ['under CI', 1000, 'true'],
    ['as root', 0, ''],
  ] as const)('refuses it %s', async (_, uid, ci) => {
    await expect(open(uid, ci)).rejects.toMatchObject({ code: 'SECRETS_SHARED' });
  });
});

const put = (given: string, kind = 'apiKey') => secretToPut(given, { kind, where: 'What was given' });

test.each([
  ['the value', 'k-4711-abc', 'apiKey', { apiKey: 'k-4711-abc' }],
  ['the whole secret, as messages show it', '{"apiKey": "k-4711-abc"}', 'apiKey', { apiKey: 'k-4711-abc' }],
  ['the secret of another form', '{"accessToken": "t-4711"}', 'apiKey', { accessToken: 't-4711' }],
  ['a key of masks', 'sixteen letters!', 'key', { key: 'sixteen letters!' }],
  ['a key of masks as JSON', '{"key": "sixteen letters!"}', 'key', { key: 'sixteen letters!' }],
  ['an address', 'https://hooks.example.com/a', 'webhook', { url: 'https://hooks.example.com/a' }],
])('secret put stores what was given as %s', (_what, given, kind, stored) => {
  expect(JSON.parse(JSON.stringify(put(given, kind)))).toEqual(stored);
});

test.each(['', '{"apiKey": ', '{}', '{"apiKey": 1}', 'two words'])('secret put refuses %j', (given) => {
  expect(() => put(given)).toThrow('What was given');
});
