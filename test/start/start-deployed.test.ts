import { describe, expect, it } from 'vitest';
import { localServices } from '#cli/local-services.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { commitHead } from '#lib/lake/head.ts';
import { readLease, releaseLease, takeLease } from '#lib/lake/lease.ts';
import type { ExecutionState, Executions } from '#lib/run/payloads.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { startDeployed } from '#lib/start/start-deployed.ts';
import { labConfig } from '../support/export-lab.ts';
import { head } from '../support/head.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const RUN = '20261121T030000Z';
const TIME = '2026-11-21T03:00:00Z';
const ARN = 'arn:aws:states:us-east-1:1:execution:signage:';

/** A state machine whose executions end when the test says so. */
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
    end: (name: string) => states.set(`${ARN}${name}`, 'ended'),
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
  const waits: unknown[] = [];
  const waiting: Executions = {
    ...machine.executions,
    start: async (name, input) => {
      waits.push([name, input]);
      return `operate:${name}`;
    },
  };
  const services = {
    ...localServices(lake),
    now: () => now,
    config: labConfig('https://signage.example.com'),
    executions: machine.executions,
    waiting,
  };
  return {
    lake,
    machine,
    waits,
    start: (scheduledTime?: string) =>
      startDeployed(scheduledTime === undefined ? {} : { scheduledTime }, services),
    /** The start of a run that waits already, as the operator's state machine calls it. */
    startWaiting: (scheduledTime: string) =>
      startDeployed({ scheduledTime }, { ...services, waiting: undefined }),
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

  it('answers a repeated scheduled start with the execution that runs', async () => {
    await using at = await lab();
    await at.start(TIME);
    expect(await at.start(TIME)).toEqual({ kind: 'running', runId: RUN, execution: `${ARN}${RUN}` });
    expect(at.machine.inputs).toHaveLength(1);
  });

  it('skips a scheduled run while another is under way, and refuses one by hand', async () => {
    await using at = await lab();
    await at.start(TIME);
    at.at('2026-11-21T03:10:00Z');
    expect(await at.start('2026-11-21T03:10:00Z')).toMatchObject({ kind: 'skipped', code: 'LEASE_HELD' });
    at.at('2026-11-21T03:11:00Z');
    await expect(at.start()).rejects.toThrow(expect.objectContaining({ code: 'LEASE_HELD' }));
  });

  it('lets a scheduled run wait for an operator’s command instead of leaving it out', async () => {
    await using at = await lab();
    await commitHead(at.lake, head(), undefined);
    const command = await takeLease({
      lake: at.lake,
      runId: head().runId,
      holder: { execution: 'arn:aws:states:us-east-1:1:execution:signage-operate:purge-1' },
      until: new Date('2026-11-22T04:00:00Z'),
      now: new Date('2026-11-22T02:59:00Z'),
      holderHasEnded: async () => false,
      headAttempt: 1,
    });
    const next = '2026-11-22T03:00:00Z';
    at.at(next);
    const delayed = {
      kind: 'delayed',
      runId: '20261122T030000Z',
      execution: 'operate:start-20261122T030000Z',
    };
    // The Scheduler's event may come twice; the name of the execution is the same.
    expect([await at.start(next), await at.start(next)]).toEqual([delayed, delayed]);
    expect(at.waits[0]).toEqual(['start-20261122T030000Z', { command: 'start', scheduledTime: next }]);
    await expect(at.startWaiting(next)).rejects.toMatchObject({ code: 'RUN_DELAYED' });
    await expect(at.start()).rejects.toMatchObject({ code: 'LEASE_HELD' });
    await releaseLease(at.lake, command);
    expect(await at.startWaiting(next)).toMatchObject({ kind: 'started', runId: '20261122T030000Z' });
  });

  it('starts a run whose execution ended again as its second execution and attempt', async () => {
    await using at = await lab();
    await at.start(TIME);
    at.machine.end(RUN);
    expect(await at.start(TIME)).toMatchObject({ kind: 'started', execution: `${ARN}${RUN}-2` });
    expect(at.machine.inputs.at(-1)).toMatchObject({ runId: RUN, attempt: 2 });
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
