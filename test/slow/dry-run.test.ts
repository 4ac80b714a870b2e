import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPurge } from '#cli/purge.ts';
import { addRebuild } from '#cli/rebuild.ts';
import { addRollback } from '#cli/rollback.ts';
import { readHead } from '#lib/lake/head.ts';
import type { ListedObject } from '#lib/lake/lake.ts';
import { namedFiles, tableKeys } from '#lib/lake/named-files.ts';
import { hasTerminal, onTerminal, placesOf, saidBy, typedOnTerminal } from '../cli/support.ts';
import { type ExportLab, exportLab } from '../support/export-lab.ts';

let lab: ExportLab;
const of: string[] = [];
beforeAll(async () => {
  lab = await exportLab({ players: 8 });
  await lab.run('2026-11-20T03:00:00Z');
  lab.simulator.day = 1;
  await lab.run('2026-11-21T03:00:00Z');
  of.push(...(await placesOf(lab)));
});
afterAll(() => lab[Symbol.asyncDispose]());

/** All objects below a prefix. */
async function listed(prefix: string): Promise<readonly ListedObject[]> {
  const found: ListedObject[] = [];
  for await (const each of lab.lake.list(prefix)) found.push(each);
  return found;
}

/** Keys and bytes of all objects but the scratch area. */
async function objects(): Promise<readonly string[]> {
  return (await listed('')).map(({ key, size }) => `${key} ${size}`);
}

/** What the head names: rows of a table's days, files and bytes of all, from the files themselves. */
async function shown(from = '', without = ''): Promise<{ files: number; rows: number; bytes: number }> {
  const { head = { tables: {} } } = (await readHead(lab.lake)) ?? {};
  const files = namedFiles(head).filter(({ date }) => date >= from);
  const sizes = new Map((await listed('tables/')).map(({ key, size }) => [key, size]));
  const keys = files.flatMap((each) => tableKeys(each.table, each));
  const tables = [...new Set(files.map(({ table }) => table))];
  let rows = 0;
  for (const table of tables) {
    const days = ['changes', 'runs', 'rejects'].includes(table) ? table : `${table}_daily`;
    const other = `export_date >= '${from}' and export_source <> '${without}'`;
    rows += Number((await lab.flat(`select count(*) from ${days} where ${other}`))[0]);
  }
  return { files: keys.length, rows, bytes: keys.reduce((sum, key) => sum + (sizes.get(key) ?? 0), 0) };
}

async function dry(add: (command: Command) => void, ...words: readonly string[]) {
  const before = await objects();
  const said = JSON.parse(await saidBy(add, ...words, '--dry-run', '--json', ...of));
  const sentence = await saidBy(add, ...words, '--dry-run', ...of);
  expect(sentence).toMatch(/ Nothing is changed\.\n$/);
  expect(await objects()).toEqual(before);
  return { ...said, sentence };
}

describe('--dry-run says in rows and bytes what would change, and changes nothing:', () => {
  it('rebuild', async () => {
    const said = await dry(addRebuild, 'rebuild', '--from', '2026-11-21');
    expect(said).toMatchObject({ dryRun: true, runs: 1, rewritten: await shown('2026-11-21') });
    const raw = (await listed('raw/20261121T030000Z/')).map(({ size }) => size);
    expect(said.raw).toEqual({ files: raw.length, bytes: raw.reduce((a, b) => a + b, 0) });
    expect(said.sentence).toMatch(
      /^1 run from 2026-11-21 on would be made again from \d+ files of raw answers \(.* kB\)/,
    );
  });

  it('rollback, by as much as it then does', async () => {
    const before = await shown();
    const said = await dry(addRollback, 'rollback', '20261120T030000Z');
    await saidBy(addRollback, 'rollback', '20261120T030000Z', ...of);
    const after = await shown();
    for (const what of ['files', 'rows', 'bytes'] as const)
      expect(after[what]).toBe(before[what] - said.removed[what] + said.restored[what]);
    expect(said.removed.rows).toBeGreaterThan(20);
    expect(said.sentence).toMatch(
      /^With the tables of run 20261120T030000Z, \d+ rows \(.* in \d+ files\) would leave/,
    );
  });

  it.runIf(hasTerminal)('and a terminal is asked, unless --yes', async () => {
    const before = await objects();
    const line = ['rebuild', '--from', '2026-11-20', ...of];
    const { status, said } = await typedOnTerminal(line, [['Do it?', 'n\r']]);
    expect(status).toBe(0);
    expect(said).toMatch(/made again from[\s\S]*Do it\? \[y\/N\]/);
    // Ctrl-D, which leaves the question as Ctrl-C does.
    const left = { status: 130, said: expect.stringContaining('CANCELLED: Nothing is changed.') };
    expect(await typedOnTerminal(line, [['Do it?', '\u0004']])).toMatchObject(left);
    expect(await objects()).toEqual(before);
    expect(onTerminal([...line, '--yes'], { input: '' }).said).not.toContain('Do it?');
    expect(await objects()).not.toEqual(before);
  });

  it('purge, by as many rows as it then takes out', async () => {
    const [before, others] = [await shown(), await shown('', 'berlin')];
    const said = await dry(addPurge, 'purge', '--source', 'berlin');
    expect(said.removed.rows).toBe(before.rows - others.rows);
    const raw = (await listed('raw/')).filter(({ key }) => key.includes('/berlin/'));
    expect(said.raw).toEqual({ files: raw.length, bytes: raw.reduce((sum, { size }) => sum + size, 0) });
    await saidBy(addPurge, 'purge', '--source', 'berlin', ...of);
    expect((await shown()).rows).toBe(others.rows);
  });
});
