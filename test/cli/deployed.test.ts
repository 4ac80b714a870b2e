import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addRun } from '#cli/run.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { readHead } from '#lib/lake/head.ts';
import { readSummary } from '#lib/run/summary.ts';
import { type AlarmAction, type TriedAlarm, tryAlarm } from '../../cli/try-alarm.ts';
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

/** An alarm as CloudWatch has them: it acts when its state changes, and notes it a second later. */
function alarmIn(state: string, more: Partial<TriedAlarm> = {}, summary = 'Successfully executed action') {
  let [now, held] = [1_000_000, state];
  const noted: AlarmAction[] = [];
  const alarm: TriedAlarm = {
    name: 'lab-run-failed-count',
    now: () => now,
    sleep: async (ms) => {
      now += ms;
    },
    setState: async (next) => {
      if (next !== held && next === 'ALARM') noted.push({ at: new Date(now + 500), summary, details: 'why' });
      held = next;
    },
    actions: async () => noted.filter(({ at }) => at.getTime() <= now),
    subscribers: async () => 0,
    ...more,
  };
  return alarm;
}
const email = { alarmEmail: 'ops@example.com' };

it.each(['OK', 'INSUFFICIENT_DATA', 'ALARM'])('an alarm that was in %s is sent', async (state) => {
  expect(await tryAlarm(email, alarmIn(state))).toBe('sent; look whether it has come to ops@example.com');
});

it('fails where the topic cannot be published to, and where nothing is noted', async () => {
  const refused = alarmIn('OK', {}, 'Failed to execute action');
  await expect(tryAlarm(email, refused)).rejects.toThrow('Failed to execute action: why');
  const silent = alarmIn('OK', { actions: async () => [] });
  await expect(tryAlarm(email, silent)).rejects.toThrow('noted no message within 30 s');
});

it('fails where nobody subscribes, as far as the caller may see', async () => {
  for (const count of [0, undefined]) {
    const lonely = alarmIn('OK', { subscribers: async () => count });
    await expect(tryAlarm({}, lonely)).rejects.toThrow('set alarmEmail');
  }
  const heard = alarmIn('OK', { subscribers: async () => 2 });
  expect(await tryAlarm({}, heard)).toBe('sent to 2 who subscribe to the topic of the stack');
});
