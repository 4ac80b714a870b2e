import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addCheck } from '#cli/check.ts';
import { deployedStack } from '#cli/deployed.ts';
import { describeRun } from '#cli/print-run.ts';
import { addRepair } from '#cli/repair.ts';
import { addRun } from '#cli/run.ts';
import { sayFailure } from '#cli/say-failure.ts';
import { addSchedule } from '#cli/schedule.ts';
import { fixtureLab, routesBy } from '../support/fixture-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { answeringAws, cli } from './support.ts';

const KEY = 'key-4711-that-nobody-may-see';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await folder[Symbol.asyncDispose]();
});

/** The options that name a config with one source, and secrets; without `secrets` the source names their place itself. */
async function places(source: object, secrets?: object): Promise<readonly string[]> {
  const at = (name: string) => join(folder.path, name);
  const sources = [
    { name: 'berlin', kind: 'signage', baseUrl: 'http://127.0.0.1:9', secret: 'lab/berlin', ...source },
  ];
  await writeFile(at('config.json'), JSON.stringify({ name: 'lab', sources }));
  const named = ['--config', at('config.json'), '--lake', at('lake')];
  if (secrets === undefined) return named;
  await writeFile(at('secrets.json'), JSON.stringify(secrets), { mode: 0o600 });
  return [...named, '--secrets', at('secrets.json')];
}

describe('what does not answer is named by its address, a key by the name of its secret, and never by its value', () => {
  const elsewhere = { location: `https://elsewhere.example/?key=${KEY}` };
  const html = { 'content-type': 'text/html' };

  it.each([
    [
      'a wrong key',
      { status: 401, body: '{}' },
      'with the key of the secret "lab/berlin", which is in secrets.json or, on AWS, in Secrets Manager: put a valid key there',
    ],
    ['a web page', { headers: html, body: `<html>${KEY}</html>` }, 'At ADDRESS the body is a web page,'],
    ['another server', { status: 302, headers: elsewhere, body: '' }, 'At ADDRESS the server redirects'],
  ])('%s', async (_, answer, says) => {
    await using lab = await fixtureLab(
      routesBy(() => answer),
      {},
      undefined,
      KEY,
    );
    const summary = await lab.run('2026-11-20T03:00:00Z');
    const said = describeRun(summary, { lake: './lake' }).join('\n');
    expect(said).toContain(says.replace('ADDRESS', lab.server.url));
    expect(said).not.toContain(KEY);
  });

  it('an address where nobody listens', async () => {
    const baseUrl = 'http://127.0.0.1:9';
    await using lab = await fixtureLab({}, { signage: { baseUrl } }, undefined, KEY);
    const summary = await lab.run('2026-11-20T03:00:00Z');
    const said = describeRun(summary, { lake: './lake' }).join('\n');
    expect(said).toContain(`At ${baseUrl} nothing listens on this port (ECONNREFUSED): check baseUrl in`);
    expect(said).not.toContain(KEY);
  });
});

const CALLING: readonly (readonly [string, (command: Command) => void])[] = [
  ['run', addRun],
  ['check', addCheck],
  ['repair', addRepair],
  ['schedule', addSchedule],
];
const OF_FILE = 'lab/berlin';
const WANTED: readonly (readonly [code: string, secret: string, named: string, held?: object | null])[] = [
  ['SECRET_MISSING', OF_FILE, 'has no secret "lab/berlin"; add it as "lab/berlin"'],
  ['SECRET_MISSING', 'env:NO_SUCH_KEY', 'the variable NO_SUCH_KEY is not set: set it'],
  ['SECRET_UNREADABLE', 'file:/nowhere/key', 'file:/nowhere/key, but that file cannot be read (ENOENT)'],
  ['SECRETS_UNREADABLE', OF_FILE, 'does not exist', null],
  ['SECRET_INVALID', OF_FILE, 'digits alone', { apiKey: '12345678' }],
  ['SECRET_INVALID', OF_FILE, 'of source berlin holds accessToken; a signage', { accessToken: KEY }],
];

it.each(CALLING.flatMap(([name, add]) => WANTED.map((wanted) => [name, wanted[1], add, wanted] as const)))(
  'a secret that is missing or wrong is named, and ends each command that calls an API with 2, before it calls: %s without %s',
  async (name, secret, add, [code, , named, held]) => {
    const given = await places({ secret }, { 'lab/other': { apiKey: KEY }, ...(held && { [secret]: held }) });
    if (held === null) await rm(join(folder.path, 'secrets.json'));
    const error = await cli(add, name, ...given).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringContaining(named) });
    const notes = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await sayFailure(error, { json: false, version: '1.2.3' })).toBe(2);
    expect(notes.mock.calls.join('')).toMatch(new RegExp(`^${code}: `));
    expect(notes.mock.calls.join('')).not.toContain(KEY);
    expect(existsSync(join(folder.path, 'lake'))).toBe(false);
  },
);

describe('AWS', () => {
  /** CloudFormation as it answers every call. */
  const refusing = (status: number, code: string) =>
    answeringAws((_, response) => {
      response.writeHead(status, { 'content-type': 'text/xml' });
      response.end(
        `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type><Code>${code}</Code><Message>Said of it</Message></Error></ErrorResponse>`,
      );
    });

  async function failureOf(): Promise<{ code: number; said: string }> {
    const error = await deployedStack({ name: 'lab' }).catch((thrown: unknown) => thrown);
    const notes = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const code = await sayFailure(error, { json: false, version: '1.2.3' });
    return { code, said: notes.mock.calls.join('') };
  }

  it('without the stack is NOT_DEPLOYED with 2: the config or the region is at fault', async () => {
    await using _ = await refusing(400, 'ValidationError');
    expect(await failureOf()).toEqual({
      code: 2,
      said: 'NOT_DEPLOYED: There is no stack lab in this account and region: set AWS_PROFILE and AWS_REGION to where it is, or deploy it.\n',
    });
  });

  it.each(['AccessDenied', 'ExpiredToken', 'InvalidClientTokenId'])(
    'that refuses with %s is AWS_REFUSED with 1, and is never taken for a stack that is not there',
    async (refusal) => {
      await using _ = await refusing(403, refusal);
      expect(await failureOf()).toEqual({
        code: 1,
        said: `AWS_REFUSED: The call to AWS failed (${refusal}: Said of it): look at AWS_PROFILE, AWS_REGION and this user's rights.\n`,
      });
    },
  );
});
