import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addRun } from '#cli/run.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { readHead } from '#lib/lake/head.ts';
import { readSummary } from '#lib/run/summary.ts';
import { type FixtureLab, signageLab } from '../support/fixture-lab.ts';
import { type AwsAnswers, labStack } from '../support/lab-stack.ts';
import { cliHere, saidBy } from './support.ts';

const TIME = '2026-11-20T03:00:00Z';
const RUN = { runId: '20261120T030000Z', execution: 'arn:aws:states:us-east-1:123456789012:execution:a:b' };

let lab: FixtureLab;
let config: string;
beforeEach(async () => {
  lab = await signageLab({});
  config = join(lab.folder, lab.written.file);
  await writeFile(config, lab.written.text);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await lab[Symbol.asyncDispose]();
});

describe('run --deployed', () => {
  /** What it says where the start function answers so and its execution ends so. */
  const runWith = async (started: object, ended: object = {}) => {
    const executions = { DescribeExecution: () => ended, GetExecutionHistory: () => ({ events: [] }) };
    await using _ = await labStack(lab.lake.name, { Invoke: () => started, ...executions });
    const noted = vi.spyOn(process.stderr, 'write').mockReturnValue(true).mockClear();
    const words = ['run', '--deployed', '--backdate', '--run-time', TIME, '--json', '--config', config];
    return { said: JSON.parse(await saidBy(addRun, ...words)), noted: noted.mock.calls.join('') };
  };

  it('watches the execution that it starts, and ends with the summary; of a committed run, at once', async () => {
    await lab.run(TIME);
    const lake = folderLake(lab.lake.name);
    const head = (await readHead(lake))?.head;
    const summary = JSON.parse(JSON.stringify(head && (await readSummary(lake, head))));
    const watched = await runWith({ kind: 'started', ...RUN }, { status: 'SUCCEEDED' });
    expect(watched).toEqual({ said: summary, noted: expect.stringContaining(`execution ${RUN.execution}`) });
    const again = await runWith({ kind: 'committed', runId: RUN.runId });
    expect(again).toEqual({ said: summary, noted: '' });
  });

  it('throws what the start or the execution ended with, and where no commit came of it', async () => {
    await lab.run('2026-11-19T03:00:00Z');
    const skipped = { kind: 'skipped', ...RUN, code: 'LEASE_HELD', message: 'Another run.' };
    await expect(runWith(skipped)).rejects.toMatchObject({ code: 'LEASE_HELD', message: 'Another run.' });
    const failed = { status: 'FAILED', error: 'LAKE_FULL', cause: '{"errorMessage":"Full."}' };
    await expect(runWith({ kind: 'started', ...RUN }, failed)).rejects.toMatchObject({
      code: 'LAKE_FULL',
      message: 'The execution ended (FAILED): Full.',
    });
    await expect(runWith({ kind: 'started', ...RUN }, { status: 'SUCCEEDED' })).rejects.toMatchObject({
      code: 'RUN_UNKNOWN',
    });
  });
});

describe('query --athena', () => {
  const query = async (answers: AwsAnswers) => {
    await using _ = await labStack(lab.lake.name, {
      StartQueryExecution: () => ({ QueryExecutionId: '1' }),
      ...answers,
    });
    return await cliHere('query', '--athena', 'select id from players', '--json', '--config', config);
  };

  it('gives all pages of the answer, without the row of heads', async () => {
    const page = (...cells: readonly (string | undefined)[]) => ({
      ResultSetMetadata: { ColumnInfo: [{ Name: 'id', Type: 'varchar' }] },
      Rows: cells.map((cell) => ({ Data: [{ ...(cell !== undefined && { VarCharValue: cell }) }] })),
    });
    const answer = await query({
      GetQueryExecution: () => ({ QueryExecution: { Status: { State: 'SUCCEEDED' } } }),
      GetQueryResults: ({ NextToken }) =>
        NextToken === undefined
          ? { ResultSet: page('id', '1'), NextToken: 'more' }
          : { ResultSet: page('id', undefined) },
    });
    expect(answer).toMatchObject({ status: 0, stdout: '[{"id":"1"},{"id":"id"},{"id":null}]\n' });
  });

  it('says what is wrong in Athena’s own words', async () => {
    const wrong = { State: 'FAILED', StateChangeReason: "Column 'id' cannot be resolved" };
    const answer = await query({ GetQueryExecution: () => ({ QueryExecution: { Status: wrong } }) });
    expect(answer).toMatchObject({ status: 2, stderr: expect.stringContaining(wrong.StateChangeReason) });
  });
});

describe('smoke', () => {
  /** What it says of the alarm where CloudWatch notes so that something was sent, with other settings in the config. */
  const alarm = async (HistorySummary: string, settings: object = {}) => {
    await writeFile(config, JSON.stringify({ ...JSON.parse(lab.written.text), ...settings }));
    const states: unknown[] = [];
    const seconds = Date.now() / 1000;
    const action = { HistoryItemType: 'Action', HistorySummary, HistoryData: 'why' };
    await using _ = await labStack(lab.lake.name, {
      Invoke: () => ({ resource: 'players', status: 200, refused: null }),
      SetAlarmState: (asked) => {
        states.push(Object(asked).StateValue);
        return {};
      },
      // An action of an earlier trial is there too.
      DescribeAlarmHistory: () => ({
        AlarmHistoryItems: [
          { ...action, Timestamp: seconds },
          { ...action, Timestamp: seconds - 600, HistorySummary: 'Failed long ago' },
        ],
      }),
      StartQueryExecution: () => ({ QueryExecutionId: '1' }),
      GetQueryExecution: () => ({ QueryExecution: { Status: { State: 'SUCCEEDED' } } }),
      GetQueryResults: () => ({ ResultSet: { Rows: [] } }),
    });
    const { status, stdout } = await cliHere('smoke', '--json', '--config', config);
    expect(states).toEqual(['OK', 'ALARM']);
    const { tried } = JSON.parse(stdout);
    expect(tried.map(({ what }: { what: string }) => what)).toEqual(['source berlin', 'alarm', 'query']);
    return { status, ...tried[1] };
  };

  it('sets an alarm off from its beginning, and says who receives it', async () => {
    const sent = await alarm('Successfully executed action', { alarmEmail: 'ops@example.com' });
    expect(sent).toMatchObject({ status: 0, says: 'sent; look whether it has come to ops@example.com' });
    expect((await alarm('Successfully executed action')).says).toContain('alarmEmail in the config');
  });

  it('fails where the topic cannot be published to', async () => {
    expect(await alarm('Failed to execute action')).toMatchObject({
      ...{ status: 1, ok: false, says: 'Error: Failed to execute action: why' },
    });
  });
});
