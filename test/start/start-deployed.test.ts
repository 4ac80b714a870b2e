import { describe, expect, it } from 'vitest';
import { localServices } from '#cli/local-services.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { commitHead } from '#lib/lake/head.ts';
import { readLease } from '#lib/lake/lease.ts';
import type { ExecutionState, Executions } from '#lib/run/payloads.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { startDeployed } from '#lib/start/start-deployed.ts';
import { labConfig } from '../support/export-lab.ts';
import { head } from '../support/head.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const RUN = '20261121T030000Z';
const TIME = '2026-11-21T03:00:00Z';
const ARN = 'arn:aws:states:us-east-1:1:execution:signage:';

/** A state machine whose executions do not end. */
function stateMachine() {
  const states = new Map<string, ExecutionState>();
  const inputs: unknown[] = [];
  let fault: Fault | undefined;
  let isDead = false;
  const executions: Executions = {
    arnOf: (name) => `${ARN}${name}`,
    stateOf: async (arn) => {
      if (isDead) throw new Error('killed');
      return states.get(arn) ?? 'missing';
    },
    start: async (name, input) => {
      isDead = fault === 'killed';
      if (isDead) throw new Error('killed before StartExecution');
      if (fault === 'refused') throw new Error('no right to StartExecution');
      states.set(`${ARN}${name}`, 'running');
      inputs.push(input);
      if (fault === 'lost') throw new Error('the answer was lost');
      return `${ARN}${name}`;
    },
  };
  return {
    executions,
    inputs,
    fail: (how: Fault | undefined) => {
      fault = how;
      isDead = false;
    },
  };
}

/** How StartExecution fails: the start is killed before it, it is refused, or its answer does not arrive. */
type Fault = 'killed' | 'refused' | 'lost';

async function lab() {
  const folder = await temporaryFolder();
  const lake = folderLake(folder.path);
  const machine = stateMachine();
  let now = new Date(TIME);
  const config = labConfig('https://signage.example.com');
  const services = { ...localServices(lake), now: () => now, config, executions: machine.executions };
  return {
    lake,
    machine,
    start: (scheduledTime?: string) =>
      startDeployed(scheduledTime === undefined ? {} : { scheduledTime }, services),
    at: (time: string) => {
      now = new Date(time);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('start on AWS', () => {
  it('takes the lease for an execution named after the run, and starts it with names and numbers only', async () => {
    await using at = await lab();
    expect(await at.start(TIME)).toEqual({ kind: 'started', runId: RUN, execution: `${ARN}${RUN}` });
    expect(at.machine.inputs).toEqual([{ runId: RUN, attempt: 1, sources: ['berlin', 'vault'] }]);
    expect((await readLease(at.lake))?.holder).toEqual({ execution: `${ARN}${RUN}` });
    expect((await readRunRecord(at.lake, RUN)).config.name).toBe('lab');
  });

  it('goes on where a start died between its lease and its execution, once it cannot be alive', async () => {
    await using at = await lab();
    at.machine.fail('killed');
    await expect(at.start(TIME)).rejects.toThrow('killed');
    at.machine.fail(undefined);
    at.at('2026-11-21T03:01:00Z');
    await expect(at.start(TIME)).rejects.toThrow(expect.objectContaining({ code: 'START_UNFINISHED' }));
    at.at('2026-11-21T03:03:00Z');
    expect(await at.start(TIME)).toMatchObject({ kind: 'started', execution: `${ARN}${RUN}` });
  });

  it('gives its lease back where the execution is refused, so that the next start need not wait', async () => {
    await using at = await lab();
    at.machine.fail('refused');
    await expect(at.start(TIME)).rejects.toThrow('no right to StartExecution');
    at.machine.fail(undefined);
    const next = '2026-11-21T03:00:01Z';
    at.at(next);
    expect(await at.start(next)).toMatchObject({ kind: 'started', runId: '20261121T030001Z' });
  });

  it('keeps its lease for an execution that has begun, although the answer was lost', async () => {
    await using at = await lab();
    at.machine.fail('lost');
    expect(await at.start(TIME)).toMatchObject({ kind: 'started', execution: `${ARN}${RUN}` });
    at.machine.fail(undefined);
    at.at('2026-11-21T03:10:00Z');
    expect(await at.start('2026-11-21T03:10:00Z')).toMatchObject({ kind: 'skipped', code: 'LEASE_HELD' });
  });

  it('fails where the committed run is still to come: a start that is skipped would alarm nobody', async () => {
    await using at = await lab();
    await commitHead(at.lake, head(), undefined);
    at.at('2023-11-20T03:00:00Z');
    await expect(at.start('2023-11-20T03:00:00Z')).rejects.toMatchObject({ code: 'CLOCK_WRONG' });
  });
});
