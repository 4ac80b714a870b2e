import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { GetTablesCommand } from '@aws-sdk/client-glue';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { TABLES } from '#lib/schema/tables.ts';
import type { QueryResult } from '#lib/views/open-tables.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { STAGES } from '../../infra/stages.ts';
import { type ExportLab, exportLab } from '../support/export-lab.ts';
import { VARYING } from '../support/same-tables.ts';
import { someOf } from '../support/some-of.ts';
import { rowsAsText } from './support/compare.ts';
import { type Deployment, deploy, type Synthesized, synthesize } from './support/deployment.ts';
import { motoAt } from './support/moto.ts';
import { s3At, speakWith } from './support/s3.ts';
import { type TrinoAnswer, trinoAt } from './support/trino.ts';

const DAYS = ['2026-11-20', '2026-11-21'];
const MB = 1e6;

let lab: ExportLab;
const standIns = inject('standIns');
const s3 = s3At(standIns.s3);
const moto = motoAt(standIns.moto);
const trino = trinoAt(standIns.trino);
let synthesized: Synthesized;
let deployment: Deployment;

beforeAll(async () => {
  lab = await exportLab({ players: 210, seed: 11 });
  speakWith(s3);
  // By itself, for it is timed.
  synthesized = await synthesize(writtenConfig(), 'x86_64');
  deployment = await deploy({ synthesized, name: 'lab', s3, moto });
  await moto.putSecret('lab/berlin', lab.simulator.secrets.signage);
  await moto.putSecret('lab/vault', lab.simulator.secrets.backup);
  for (const [day, date] of DAYS.entries()) {
    lab.simulator.day = day;
    await deployment.runScheduled(`${date}T03:00:00Z`);
    await lab.run(`${date}T03:00:00Z`);
  }
});
afterAll(async () => {
  for (const each of [deployment, synthesized, lab]) await each?.[Symbol.asyncDispose]();
});

/** The config of the lab as a user writes it: without the defaults of the other kind of source. */
function writtenConfig() {
  const fast = { baseUrl: lab.simulator.url, concurrency: 50, requestsPerSecond: null };
  return {
    name: 'lab',
    timeZone: 'Europe/Berlin',
    sources: [
      { name: 'berlin', kind: 'signage', secret: 'lab/berlin', ...fast },
      { name: 'vault', kind: 'backup', accountId: '1042', secret: 'lab/vault', ...fast },
    ],
  };
}

describe('what is uploaded', () => {
  it('is synthesized without a network within a minute', () => {
    expect(synthesized.seconds).toBeLessThan(60);
  });

  it.each(STAGES.map(({ name, hasDuckDb, callsApi }) => ({ name, hasDuckDb, callsApi })))(
    '$name is small enough, and has a client of APIs or DuckDB, never both',
    async ({ name, hasDuckDb, callsApi }) => {
      const files = await filesIn(synthesized.bundle(name));
      const sizes = await Promise.all(
        files.map(async (file) => {
          const bytes = await readFile(file);
          return { zipped: deflateRawSync(bytes).length, whole: bytes.length };
        }),
      );
      const sum = (of: 'zipped' | 'whole') => sizes.reduce((total, each) => total + each[of], 0);
      expect(sum('zipped')).toBeLessThan((hasDuckDb ? 60 : 1.5) * MB);
      expect(sum('whole')).toBeLessThan(250 * MB);
      expect(files.some((file) => file.endsWith('duckdb.node'))).toBe(hasDuckDb);
      const code = await readFile(join(synthesized.bundle(name), 'index.mjs'), 'utf8');
      // Plan and publish read the key of masks, where their roles let them.
      expect(code.includes('GetSecretValue')).toBe(callsApi || ['plan', 'publish'].includes(name));
      expect(code.includes('UND_ERR_'), 'undici').toBe(callsApi);
    },
  );
});

describe('two days through bundles, S3, secrets and Glue', () => {
  const names = TABLES.flatMap(({ name, onlyDays }) => (onlyDays ? [name] : [name, `${name}_daily`]));

  it.each(names)('%s read by Trino is what a local run has, column by column', async (name) => {
    const local = await lab.query(`select * from ${name}`);
    const deployed = await trino.query(`select * from "${name}"`, 'lab');
    const fixed = local.columns.filter((each) => !VARYING.includes(each));
    expect(deployed.columns.map((column) => column.name).toSorted()).toEqual(local.columns.toSorted());
    expect(rowsOf(deployed, fixed)).toEqual(rowsOf(localAnswer(local), fixed));
  });

  // test/aws/views.test.ts asks each of them.
  it('has every view, as the commit made it', async () => {
    const { TableList = [] } = await moto.glue.send(new GetTablesCommand({ DatabaseName: 'lab' }));
    const made = TableList.flatMap(({ Name, TableType }) => (TableType === 'VIRTUAL_VIEW' ? [Name] : []));
    expect(made).toEqual(expect.arrayContaining((await readViews(QUERIES)).map(({ name }) => name)));
  });

  it('logs no secret and no line a request', () => {
    const logs = deployment.logs();
    for (const secret of someOf(
      Object.values(lab.simulator.secrets).flatMap((each) => Object.values(each)),
    )) {
      expect(logs).not.toContain(secret);
    }
    const lines = logs.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.length).toBeLessThan(150);
  });
});

/** What was asked locally, in the form of Trino's answers. */
const localAnswer = ({ columns, rows }: QueryResult): TrinoAnswer => ({
  columns: columns.map((name) => ({ name, type: '' })),
  rows,
});

/** The rows with these columns alone. */
function rowsOf({ columns, rows }: TrinoAnswer, names: readonly string[]): readonly string[] {
  const indexes = names.map((name) => columns.findIndex((column) => column.name === name));
  return rowsAsText(rows.map((row) => indexes.map((index) => row[index])));
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.map((name) => join(folder, name));
  const kinds = await Promise.all(paths.map(async (path) => (await stat(path)).isFile()));
  return paths.filter((_, index) => kinds[index]);
}
