import { expect, it } from 'vitest';
import { describeRun } from '#cli/print-run.ts';
import { nextSteps } from '#cli/recovery.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { exportLab, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes } from '../support/fleet-routes.ts';
import { checkWrite, cliHere, placesOf } from './support.ts';

it('a run that failed for its coverage alone says so, with the threshold', async () => {
  await using lab = await exportLab({ players: 9 }, { backup: null });
  await lab.simulator.setFaults('denied:1@resource=screens');
  const summary = await lab.run('2026-11-20T03:00:00Z');
  expect(summary.sources).toMatchObject([{ status: 'failed', minCoverage: 0.95, listed: 9 }]);
  expect(describeRun(summary, { lake: './lake' }).join('\n')).toMatch(
    /^berlin: failed, because its coverage of \d+\.\d % is below minCoverage, 95\.0 %\.$/m,
  );
  await lab.simulator.setFaults('denied-all');
  const refused = await lab.run('2026-11-21T03:00:00Z');
  expect(refused.sources).toMatchObject([{ status: 'failed' }]);
  expect(describeRun(refused, { lake: './lake' }).join('\n')).not.toContain('minCoverage');
});

// Scripts and schedulers rely on these numbers: README.md says them.
it.each([
  { faults: '', status: 'complete', code: 0 },
  { faults: 'denied:1@resource=licenses', status: 'partial', code: 3 },
  { faults: 'denied-all', status: 'failed', code: 1 },
])('a run that is $status ends with $code', async ({ faults, status, code }) => {
  await using lab = await exportLab({ players: 3 });
  await lab.simulator.setFaults(faults);
  const ended = await cliHere('run', '--json', ...(await placesOf(lab)));
  expect([JSON.parse(ended.stdout).status, ended.status]).toEqual([status, code]);
});

const players = (count: number): Routes => {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  return fleetRoutes(
    ids.map((Id) => ({ Id, Name: `P${Id}` })),
    (Id) => [{ Id }],
  );
};
const FILE = { config: 'my.json', lake: './lake' };

it('a listing that shrank is accepted by the command that is said, and by no repair', async () => {
  await using lab = await signageLab(players(47), SIGNAGE_ALONE);
  await lab.run('2026-11-20T03:00:00Z');
  const held = await lab.run('2026-11-21T03:00:00Z', players(13));
  expect(nextSteps(held, FILE)).toEqual([
    'Next, if berlin rightly has fewer records now:',
    '  signage-export run --accept-shrink berlin --config my.json',
  ]);
  const accepted = await lab.run('2026-11-22T03:00:00Z', players(13), undefined, {
    acceptShrink: ['berlin'],
  });
  const rows = accepted.tables['players']?.rows;
  expect([accepted.status, rows, nextSteps(accepted, FILE)]).toEqual(['complete', 13, []]);
});

it('a setting is said with its place; what check --write writes lets the next run publish', async () => {
  const licenses = { body: '{"columns":["Id"],"rows":[[1],[2]]}' };
  const routes: Routes = { ...players(3), [`${SIGNAGE}/Licenses`]: licenses };
  await using lab = await signageLab(routes, SIGNAGE_ALONE);
  const first = await lab.run('2026-11-20T03:00:00Z');
  expect(nextSteps(first, { ...FILE, secrets: 's.json' })).toEqual([
    'Next: answer the questions above. check writes the settings that the answers support; the next run publishes:',
    '  signage-export check --write --config my.json --secrets s.json',
    '  signage-export run --config my.json --secrets s.json',
  ]);
  const said = describeRun(first, { ...FILE, configured: lab.config }).join('\n');
  expect(said).toContain('\n  sources[0].resources.licenses.items: "rows[columns]"');
  expect(said).not.toContain('Set resources.licenses');
  const { file, written } = await checkWrite(lab);
  const [source] = JSON.parse(written).sources;
  const second = await lab.run('2026-11-21T03:00:00Z', routes, { ...SIGNAGE_ALONE, signage: source });
  expect([second.status, second.tables['licenses']?.rows]).toEqual(['complete', 2]);
  expect((await readConfig(file)).sources).toHaveLength(1);
});

it('what the server refused is asked for again by repair', async () => {
  const denied = { status: 403, body: '{}' };
  await using lab = await signageLab({ ...players(3), [`${SIGNAGE}/Licenses`]: denied }, SIGNAGE_ALONE);
  const run = await lab.run('2026-11-20T03:00:00Z');
  const repair = [
    'Next: fix the problem above, then retry the failed calls:',
    '  signage-export repair --config my.json',
  ];
  expect(nextSteps(run, FILE)).toEqual(repair);
  expect(nextSteps(run, FILE, false).at(-1)).toBe('  signage-export run --config my.json');
});

it('what was set aside is worked on again from the kept answers, from the day of the run', async () => {
  await using lab = await signageLab(players(3), SIGNAGE_ALONE);
  const run = await lab.run('2026-11-20T23:30:00Z');
  const error = { code: 'SOURCE_SET_ASIDE', message: 'Out of Memory' };
  const [source] = run.sources;
  const failed = { ...run, status: 'partial', sources: source ? [{ ...source, error }] : [] } as const;
  expect(nextSteps(failed, { ...FILE, configured: lab.config })).toContain(
    '  signage-export rebuild --from 2026-11-21 --config my.json',
  );
});
