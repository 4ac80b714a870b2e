import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DescribeSecretCommand, GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type ExportLab, exportLab } from '../support/export-lab.ts';
import { command } from './support/command.ts';
import { motoAt } from './support/moto.ts';
import { CREDENTIALS, REGION, s3At } from './support/s3.ts';

const standIns = inject('standIns');
const s3 = s3At(standIns.s3);
const moto = motoAt(standIns.moto);
let lab: ExportLab;
let config: string;
beforeAll(async () => {
  lab = await exportLab({ players: 21 });
  config = join(lab.folder, 'export.config.json');
  const fast = { baseUrl: lab.simulator.url, requestsPerSecond: null };
  const sources = [{ name: 'berlin', kind: 'signage', secret: 'cli/berlin', ...fast }];
  await writeFile(config, JSON.stringify({ name: 'cli', sources }));
});
afterAll(async () => {
  for (const each of [lab]) await each?.[Symbol.asyncDispose]();
});

const environment = {
  ...{ ...CREDENTIALS, AWS_REGION: REGION, AWS_ENDPOINT_URL: moto.url, AWS_ENDPOINT_URL_S3: s3.url },
};
const ask = (args: readonly string[], input = '') =>
  command([...args, '--config', config], { environment, input });

const secretOf = async (SecretId: string) =>
  JSON.parse((await moto.secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '');

describe('the command line with S3 and Secrets Manager', () => {
  it('puts a secret from stdin, rotates it, and never says it', async () => {
    const first = await ask(['secret', 'put', 'cli/berlin'], 'not-the-right-key\n');
    expect(first).toMatchObject({ code: 0, stdout: 'cli/berlin is created.\n' });
    const { signage } = lab.simulator.secrets;
    const key = Object.values(signage)[0] ?? '';
    const second = await ask(['secret', 'put', 'cli/berlin', '--json'], key);
    expect(JSON.parse(second.stdout)).toEqual({ name: 'cli/berlin', kind: 'apiKey', done: 'rotated' });
    expect(await secretOf('cli/berlin')).toEqual({ apiKey: key });
    expect(first.stdout + first.stderr + second.stdout + second.stderr).not.toContain(key);
    const refused = await ask(['secret', 'put', 'cli/berlin'], 'two words');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('SECRET_INVALID') });
    expect(refused.stderr).not.toContain('two words');
  });

  it('puts a secret under the key of the config, a new one and one that has another', async () => {
    const secretsKmsKeyArn = 'arn:aws:kms:us-east-1:123456789012:key/12345678-1234-1234-1234-123456789012';
    const keyed = join(lab.folder, 'keyed.config.json');
    const written = JSON.parse(await readFile(config, 'utf8'));
    await writeFile(keyed, JSON.stringify({ ...written, secretsKmsKeyArn }));
    const put = async (name: string, file: string, key: string) =>
      (await command(['secret', 'put', name, '--config', file], { environment, input: key })).stdout;
    const keyOf = async (SecretId: string) =>
      (await moto.secrets.send(new DescribeSecretCommand({ SecretId }))).KmsKeyId;
    expect(await put('cli/new', keyed, 'one')).toBe('cli/new is created.\n');
    expect(await keyOf('cli/new')).toBe(secretsKmsKeyArn);
    expect(await put('cli/old', config, 'one')).toBe('cli/old is created.\n');
    expect(await put('cli/old', keyed, 'two')).toBe('cli/old is rotated.\n');
    const old = [await keyOf('cli/old'), await secretOf('cli/old')];
    expect(old).toEqual([secretsKmsKeyArn, { apiKey: 'two' }]);
    const missing = await command(['secret', 'put', 'cli/new', '--config', `${keyed}.none`], { environment });
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('CONFIG_MISSING') });
  });

  it('exports into a bucket, asks it, and puts Glue right', async () => {
    // No name of a folder is taken for a column.
    const lake = `s3://${await s3.bucket('cli-lake')}/name=foo/export_date=1999-01-01`;
    await moto.createDatabase('cli');
    const time = '2026-11-20T03:00:00Z';
    const run = await ask(['run', '--lake', lake, '--backdate', '--run-time', time, '--json']);
    expect(run.stderr.split('\n').filter((line) => /Error|_/.test(line))).toEqual([]);
    expect(JSON.parse(run.stdout)).toMatchObject({ runId: '20261120T030000Z', status: 'complete' });
    const counts = 'select export_date, count(distinct name) n from players_daily group by 1';
    const asked = await ask(['query', counts, '--lake', lake, '--json']);
    expect(JSON.parse(asked.stdout)).toEqual([{ export_date: '2026-11-20', n: 21 }]);
    const status = await ask(['status', '--lake', lake, '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ committed: { runId: '20261120T030000Z' } });
    const synced = await ask(['catalog', 'sync', '--lake', lake, '--database', 'cli', '--json']);
    const due = { database: 'cli', tables: expect.any(Number), tablesRemoved: 0 };
    expect(JSON.parse(synced.stdout)).toMatchObject(due);
    const again = await ask(['catalog', 'sync', '--lake', lake, '--database', 'cli', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ tables: 0, partitions: 0 });
    const players = async () => {
      const sql = 'select player_id from players_daily order by all';
      const rows = JSON.parse((await ask(['query', sql, '--lake', lake, '--json'])).stdout);
      return rows.map((row: { player_id: string }) => row.player_id);
    };
    const [one, ...others] = await players();
    const cut = await ask(['purge', '--record', 'players', one, '--lake', lake]);
    expect(cut.stdout).toContain(`${one} of players of berlin was in `);
    expect(await players()).toEqual(others);
    await ask(['rebuild', '--from', '2026-11-20', '--lake', lake]);
    expect(await players()).toEqual(others);
    expect((await ask(['verify', '--lake', lake])).code).toBe(0);
    const purged = await ask(['purge', '--source', 'berlin', '--lake', lake]);
    expect(purged.stdout).toContain(
      'S3 keeps their versions a day longer, and Athena the results of earlier queries for 30 days after each query.',
    );
  });
});
