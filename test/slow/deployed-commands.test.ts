import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { addCatalog } from '#cli/catalog.ts';
import { addPurge } from '#cli/purge.ts';
import { addRebuild } from '#cli/rebuild.ts';
import { addRecover } from '#cli/recover.ts';
import { addRepair } from '#cli/repair.ts';
import { addRollback } from '#cli/rollback.ts';
import { addSchema } from '#cli/schema.ts';
import { syncCatalog } from '#lib/catalog/sync-catalog.ts';
import { operate } from '#lib/repair/operate.ts';
import { placesOf, saidBy } from '../cli/support.ts';
import { type FixtureLab, LAB_MASK_KEY, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { operatorServices } from '../support/lab-services.ts';
import { labStack, MACHINE } from '../support/lab-stack.ts';
import { memoryCatalog } from '../support/memory-catalog.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** The stack as its account gives it: what is begun there is done to the lab's lake by what its function calls. */
async function deployedLab(lab: FixtureLab): Promise<AsyncDisposable> {
  const catalog = memoryCatalog();
  const ended = new Map<string, object>();
  return await labStack(lab.lake.name, {
    StartExecution: async ({ name, input }) => {
      const executionArn = `${MACHINE.replace(':stateMachine:', ':execution:')}:${name}`;
      await using local = operatorServices(lab);
      const [arnOf, start] = [(each: string) => each, async (each: string) => each];
      const executions = { arnOf, start, stateOf: async () => 'missing' as const };
      const sync = () => syncCatalog(lab.lake, catalog, []);
      const more = { maskKey: async () => LAB_MASK_KEY, syncCatalog: sync };
      const event = { operation: JSON.parse(input), execution: executionArn };
      const end = operate(event, { ...local, ...more, executions }).then(
        (output) => ({ status: 'SUCCEEDED', output: JSON.stringify(output) }),
        (error: Error) => ({ status: 'FAILED', error: error.name, cause: error.message }),
      );
      ended.set(executionArn, await end);
      return { executionArn, startDate: 0 };
    },
    DescribeExecution: async ({ executionArn }) => ended.get(executionArn) ?? {},
    GetExecutionHistory: () => ({ events: [] }),
  });
}

type Line = readonly [add: (command: Command) => void, ...words: readonly string[]];

/** Each operator's command as it only says what it would do, and what makes it do so. */
const PREVIEWS: readonly Line[] = [
  [addSchema, 'schema', 'apply', 'licenses.total_count', 'boolean', '--dry-run'],
  [addPurge, 'purge', '--source', 'berlin', '--dry-run'],
  [addPurge, 'purge', '--record', 'licenses', 'T2', '--dry-run'],
  [addRollback, 'rollback', '20261120T030000Z', '--dry-run'],
  [addRebuild, 'rebuild', '--from', '2026-11-20', '--dry-run'],
];
const DONE: readonly Line[] = [
  [addCatalog, 'catalog', 'sync'],
  [addRepair, 'repair'],
  [addSchema, 'schema', 'new-mask-key'],
  [addSchema, 'schema', 'apply', 'licenses.total_count', 'boolean', '--yes'],
  [addRollback, 'rollback', '20261120T030000Z', '--yes'],
  [addPurge, 'purge', '--record', 'licenses', 'T2', '--yes'],
  [addPurge, 'purge', '--source', 'berlin', '--yes'],
];

const licenses = (...totals: readonly number[]) => {
  const records = totals.map((TotalCount, index) => ({ Type: `T${index}`, TotalCount }));
  return { [`${SIGNAGE}/Licenses`]: { body: JSON.stringify(records) } };
};

/** Two days of three licences. */
async function twoDays(): Promise<FixtureLab> {
  const lab = await signageLab(licenses(1, 20, 300));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', licenses(0, 2, 3));
  return lab;
}

it('a command with --deployed says the same as one here, with --json too, and does what it says: first nothing', async () => {
  await using lab = await twoDays();
  const config = join(lab.folder, lab.written.file);
  await writeFile(config, lab.written.text);
  await using _ = await deployedLab(lab);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const head = async () => (await lab.lake.read('state/head.json'))?.etag;
  const before = await head();
  const say = async ([add, ...words]: Line, ...more: readonly string[]) =>
    await saidBy(add, ...words, '--config', config, ...more);
  const document = async (line: Line, ...more: readonly string[]) =>
    JSON.parse(await say(line, '--json', ...more));
  const here = ['--lake', lab.lake.name];

  for (const line of PREVIEWS) {
    expect(await say(line, '--deployed')).toContain('Nothing is changed');
    expect(await document(line, '--deployed')).toEqual(await document(line, ...here));
  }
  expect(await head()).toBe(before);

  for (const line of DONE) expect(await document(line, '--deployed')).toEqual(expect.any(Object));
  expect(await head()).not.toBe(before);
  expect(await lab.rows("select * from licenses_daily where export_source = 'berlin'")).toEqual([]);

  // The head is lost: it is shown first, and comes back as another attempt.
  await lab.lake.remove(['state/head.json']);
  const recover: Line = [addRecover, 'recover'];
  const shown = await document(recover, '--deployed');
  expect(shown).toEqual(await document(recover, ...here));
  expect(shown).toMatchObject({ dryRun: true, runId: '20261120T030000Z' });
  expect(await head()).toBeUndefined();
  const { dryRun: _dry, ...same } = shown;
  expect(await document(recover, '--deployed', '--yes')).toEqual({ ...same, attempt: expect.any(Number) });
  expect(await head()).toBeDefined();
  expect(await document(recover, '--deployed')).toEqual({ isSound: true });
});

it('schema apply says with --dry-run what a type would do to the cells, and does it without', async () => {
  await using lab = await twoDays();
  const places = await placesOf(lab);
  const apply = (type: string, ...more: readonly string[]) =>
    saidBy(addSchema, 'schema', 'apply', 'licenses.total_count', type, ...places, ...more);
  const counts = () =>
    lab.flat('select (select count(total_count) from licenses_daily), count(*) from rejects');

  expect(await apply('boolean', '--dry-run')).toBe(
    'licenses.total_count as boolean in 2 days: 0 values stay as they are, 2 are written in another way, 4 leave their cells and are in rejects. 6 rows (2.0 kB in 2 files) are written again. Nothing is changed.\n',
  );
  expect(await counts()).toEqual([6, 0]);
  const rewritten = { files: 2, rows: 6, bytes: expect.any(Number) };
  const cells = { days: 2, kept: 6, changed: 0, emptied: 0, filled: 0 };
  const preview = JSON.parse(await apply('decimal(38,9)', '--dry-run', '--json'));
  expect(preview).toMatchObject({ dryRun: true, rewritten, cells });
  expect(await apply('boolean')).toBe('licenses.total_count is boolean now, in 2 days.\n');
  expect(await counts()).toEqual([2, 4]);
  const back = '2 are written in another way, 4 come into their cells, 0 leave their cells. ';
  expect(await apply('bigint', '--dry-run')).toContain(back);
});
