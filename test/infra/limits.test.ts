import { describe, expect, it } from 'vitest';
import { parseConfig } from '#lib/config/parse-config.ts';
import { batchWidth, cutBatches } from '#lib/run/cut-batches.ts';
import { runIdAt } from '#lib/run-id.ts';
import { PAYLOAD_LIMIT } from '#lib/runtime/state-machine.ts';
import { definitionText } from '../../infra/definition.ts';
import { STAGES } from '../../infra/stages.ts';

/** @see https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html */
const STEP_FUNCTIONS = {
  historyEvents: 25_000,
  nameCharacters: 80,
  mapChildren: 10_000,
  definitionBytes: 1_048_576,
};
/** @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const LAMBDA = {
  nameCharacters: 64,
  concurrency: 1000,
  seconds: 900,
  memoryOfNewAccountMiB: 3008,
  diskMiB: 10_240,
  environmentBytes: 4096,
};
const SCHEDULE_NAME_CHARACTERS = 64;
const DAY_SECONDS = 24 * 3600;

/** MapIterationStarted, TaskStateEntered, LambdaFunctionScheduled, -Started, -Succeeded, TaskStateExited, MapIterationSucceeded. */
const EVENTS_A_BATCH = 7;
/** Entering and leaving of the other states of a pass, generously. */
const EVENTS_A_PASS = 40;
const PASSES = 3;

const PLAYERS = 1_000_000;
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

const source = (name: string, settings: object = {}) => ({
  name,
  kind: 'signage',
  baseUrl: 'https://signage.example.com',
  secret: `signage-export/${name}`,
  ...settings,
});
const config = (sources: readonly object[]) =>
  parseConfig(JSON.stringify({ name: 'a'.repeat(40), sources }), 'limits.config.json');
const groups = (players: number) =>
  (['screens', 'pending_file_transfers'] as const).map((resource) => ({
    resource,
    failures: 0,
    parents: Array.from({ length: players }, (_, id) => String(id)),
  }));

describe('1,000,000 players in one source', () => {
  const [one] = config([source('one', { requestsPerSecond: 50, concurrency: 100 })]).sources;
  if (one === undefined) throw new Error('no source');
  const batches = cutBatches(one, groups(PLAYERS));
  const numbers = batches.map((_, batch) => batch);

  it('make batches whose numbers fit into a payload', () => {
    expect(batches.flat().reduce((sum, { parents }) => sum + parents.length, 0)).toBe(2 * PLAYERS);
    expect(
      bytes({ runId: 'R', attempt: 1, source: 'one', work: { pass: 0, width: 2, batches: numbers } }),
    ).toBeLessThan(PAYLOAD_LIMIT / 10);
    expect(bytes(numbers.map(() => 1))).toBeLessThan(PAYLOAD_LIMIT / 10);
  });

  it('stay inside the history of one execution with every batch swept twice', () => {
    expect(PASSES * (batches.length * EVENTS_A_BATCH + EVENTS_A_PASS)).toBeLessThan(
      STEP_FUNCTIONS.historyEvents,
    );
  });

  it('make batches that a Lambda does well within its time, and a run within a day', () => {
    const calls = Math.max(
      ...batches.map((batch) => batch.reduce((sum, { parents }) => sum + parents.length, 0)),
    );
    const rate = (one.requestsPerSecond ?? 20) / batchWidth(one);
    expect(calls / rate).toBeLessThan(LAMBDA.seconds / 2);
    expect((2 * PLAYERS) / (one.requestsPerSecond ?? 20)).toBeLessThan(DAY_SECONDS / 2);
  });
});

describe('names and sizes', () => {
  it('fit whatever the config is named', () => {
    const name = 'a'.repeat(40);
    for (const stage of STAGES) {
      expect(`${name}-${stage.name}`.length).toBeLessThanOrEqual(LAMBDA.nameCharacters);
      expect(stage.memoryMiB).toBeLessThanOrEqual(LAMBDA.memoryOfNewAccountMiB);
      expect(stage.diskMiB).toBeLessThanOrEqual(LAMBDA.diskMiB);
      expect(stage.timeoutSeconds).toBeLessThanOrEqual(LAMBDA.seconds);
    }
    expect(`${name}-export`.length).toBeLessThanOrEqual(SCHEDULE_NAME_CHARACTERS);
    expect(`${runIdAt(new Date())}-100`.length).toBeLessThanOrEqual(STEP_FUNCTIONS.nameCharacters);
    expect(`${runIdAt(new Date())}-100`).toMatch(/^[\w-]+$/);
    expect(definitionText().length).toBeLessThan(STEP_FUNCTIONS.definitionBytes);
  });
});
