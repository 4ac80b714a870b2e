import { expect, it } from 'vitest';
import { readHead } from '#lib/lake/head.ts';
import { releaseLease, takeLease } from '#lib/lake/lease.ts';
import { operate } from '#lib/repair/operate.ts';
import { operateEvent } from '#lib/run/payloads.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { startDeployed } from '#lib/start/start-deployed.ts';
import { signageViewLab } from '../queries/view-lab.ts';
import { labConfig, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { operatorServices } from '../support/lab-services.ts';

it('a start on AWS with a source that has a new name carries its history over where commands run, with what was asked', async () => {
  await using lab = await signageViewLab();
  await lab.run('2026-11-20T03:00:00Z', { players: [{ Id: 1 }] });
  const { sources, ...rest } = labConfig('https://signage.example.com', SIGNAGE_ALONE);
  const [berlin] = sources;
  if (berlin === undefined) throw new Error('the lab has a source');
  const config = { ...rest, sources: [{ ...berlin, name: 'north', was: 'berlin' }] };
  const inputs: unknown[] = [];
  const executions = {
    arnOf: (name: string) => `export:${name}`,
    stateOf: async () => 'missing' as const,
    start: async (name: string, input: unknown) => {
      inputs.push(input);
      return `export:${name}`;
    },
  };
  const waits: unknown[] = [];
  const waiting = {
    ...executions,
    start: async (name: string, input: unknown) => {
      waits.push(input);
      return `operate:${name}`;
    },
  };
  await using local = operatorServices({ lake: lab.lake, config });
  const now = () => new Date('2026-11-21T03:00:00Z');
  const services = { ...local, now, config, executions, syncCatalog: async () => undefined };
  const event = { scheduledTime: now().toISOString(), acceptShrink: ['north'] };
  const runId = '20261121T030000Z';
  // A start has 60 seconds, and carries nothing over itself.
  const delayed = { kind: 'delayed', runId, execution: `operate:start-${runId}` };
  expect(await startDeployed(event, { ...services, waiting })).toEqual(delayed);
  expect(waits).toEqual([{ command: 'start', ...event }]);
  expect((await readHead(lab.lake))?.head.sources).toEqual(['berlin']);

  const asked = operateEvent.parse({ operation: waits[0], execution: `operate:start-${runId}` });
  const command = await takeLease({
    lake: lab.lake,
    runId: '20261120T030000Z',
    holder: { execution: 'operate:purge' },
    until: new Date('2026-11-21T05:00:00Z'),
    now: now(),
    holderHasEnded: async () => false,
    headAttempt: 1,
  });
  const busy = { ...executions, stateOf: async () => 'running' as const };
  // The state machine tries this again, every minute.
  await expect(operate(asked, { ...services, executions: busy })).rejects.toMatchObject({
    code: 'RUN_DELAYED',
  });
  await releaseLease(lab.lake, command);

  expect(await operate(asked, services)).toMatchObject({ execution: `export:${runId}` });
  expect(inputs).toEqual([{ runId, attempt: expect.any(Number), sources: ['north'] }]);
  expect((await readRunRecord(lab.lake, runId)).acceptShrink).toEqual(['north']);
  expect((await readHead(lab.lake))?.head.sources).toEqual(['north']);
  expect(await lab.rows('select distinct export_source from players_daily')).toEqual([
    { export_source: 'north' },
  ]);
  expect((await readHead(lab.lake))?.head.runId).toBe('20261120T030000Z');
});
