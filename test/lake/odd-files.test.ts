import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { sayFailure } from '#cli/say-failure.ts';
import { ExportError } from '#lib/errors.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { refuseDamaged } from '#lib/lake/sums/refuse-damaged.ts';
import { temporaryFolder } from '../support/lake-children.ts';

async function emptyLake() {
  const folder = await temporaryFolder();
  const root = join(folder.path, 'lake');
  const lake = folderLake(root);
  await lake.write('state/watch.json', Buffer.from('{}'));
  return { root, lake, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

it.runIf(process.platform === 'linux')('too few open files are named, with the way to more', async () => {
  await using there = await emptyLake();
  const held: number[] = [];
  const { length } = await readdir('/proc/self/fd');
  const limits = (words: string) =>
    String(execFileSync('prlimit', [`--pid=${process.pid}`, ...words.split(' ')])).trim();
  const before = limits('--nofile -o SOFT --noheadings');
  const writing = () => there.lake.write('state/found.json', Buffer.from('{}'));
  limits(`--nofile=${length + 40}:`);
  try {
    for (;;) held.push(openSync('/dev/null', 'r'));
  } catch {
    const refused = { code: 'SYSTEM_REFUSED', message: expect.stringContaining('`ulimit -n 4096`') };
    await expect(there.lake.read('state/watch.json')).rejects.toMatchObject(refused);
    // A table's file is not called damaged for it.
    const sums = [`1 ${'0'.repeat(64)}`];
    const files = [{ table: 'players', date: '2026-11-20', run: '20261120T030000Z.1', parts: [0], sums }];
    await expect(refuseDamaged(there.lake, files)).rejects.toMatchObject(refused);
    await expect(writing()).rejects.toMatchObject(refused);
    // Some are left for what is opened on the way: the lock of SQLite is the next to fail.
    for (const file of held.splice(0, 1)) closeSync(file);
    await expect(writing()).rejects.toMatchObject(refused);
  } finally {
    for (const file of held) closeSync(file);
    limits(`--nofile=${before}:`);
  }
  await expect(writing()).resolves.toBeDefined();
});

it('what went wrong first is told, and not that tidying up after it went wrong too', async () => {
  const first = new ExportError({ code: 'SYSTEM_REFUSED', message: 'too few' });
  const later = new Error('a scratch folder stays');
  const thrown = new SuppressedError(later, new SuppressedError(later, first));
  const said: string[] = [];
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  try {
    expect(await sayFailure(thrown, { json: false, version: '0' })).toBe(1);
  } finally {
    err.mockRestore();
  }
  expect(said.join('')).toContain('SYSTEM_REFUSED: too few');
});
