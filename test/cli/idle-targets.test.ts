import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addCheck } from '#cli/check.ts';
import { addReport } from '#cli/report.ts';
import { exportLab, labFile, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { placesOf, saidBy } from './support.ts';

const idle = (said: string) => said.split('\n').filter((line) => line.includes('holds for nobody'));
const settings = (targets: object) => ({ ...SIGNAGE_ALONE, config: { groups: ['City'], targets } });

it('report and check name a target of a group that does not exist, and the groups that do, the nearest first', async () => {
  await using lab = await exportLab({ players: 12 }, settings({ 'city=Genf': 0.9, Köln: 0.9, '*': 0.5 }));
  await lab.run('2026-11-20T03:00:00Z');
  const out = join(lab.folder, 'page.html');
  const report = await saidBy(addReport, 'report', '--lake', lab.lake.name, '--out', out);
  const line =
    "The target city=Genf holds for nobody: no player is in such a group. There are: city=Köln, city=København K, city=L'Aquila, city=Zürich, city=Genève and 1 more.";
  expect(idle(report)).toEqual([line]);
  expect(await readFile(out, 'utf8')).toContain('The target {target} holds for nobody');
  // Check knows the targets of the config, which no run has had so far.
  const written = labFile(lab.simulator.url, settings({ 'City=Geneve': 0.9, Genève: 0.8, leipzg: 0.7 }));
  const check = await saidBy(addCheck, 'check', ...(await placesOf({ ...lab, written })));
  expect(idle(check).map((each) => each.trim().replace(/, city=\S+ K.*/, ', …'))).toEqual([
    'The target City=Geneve holds for nobody: no player is in such a group. There are: city=Genève, city=Köln, …',
    'The target leipzg holds for nobody: no player is in such a group. There are: city=Leipzig, city=Köln, …',
  ]);
});
