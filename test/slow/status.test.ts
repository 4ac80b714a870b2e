import { chmod, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readHead } from '#lib/lake/head.ts';
import { tableKeys } from '#lib/lake/named-files.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { cliHere } from '../cli/support.ts';
import { type ViewLab, viewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';
import { labConfig } from '../support/export-lab.ts';
import { operatorOf } from '../support/runs.ts';

const [FIRST, SECOND] = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z'] as const;
const SEEN = '2026-11-20T02:00:00Z';
const DAY = {
  players: [{ Id: 1, Name: 'P1', LastAccess: SEEN }],
  screens: { 1: [{ Id: 1, IsOn: true, LastUpdate: SEEN }] },
};
/** What a command says of the lake of a lab. */
const ask = (lab: ViewLab, ...args: readonly string[]) => cliHere(...args, '--lake', lab.lake.name);

it('status and report are as fresh as the last answer, not as the last attempt', async () => {
  await using lab = await viewLab();
  await lab.run(FIRST, DAY);
  await lab.run(SECOND, { refused: true });
  const { stdout } = await ask(lab, 'status');
  expect(stdout).toContain('Fresh as of 2026-11-20 03:00Z (');
  expect(stdout).toContain('berlin: its newest run got no answer; its rows are as of 2026-11-20 03:00Z (');
  const observed = { observedAt: FIRST, isOfNewestRun: false };
  const sources = ['berlin', 'vault'].map((source) => ({ source, ...observed }));
  expect(JSON.parse((await ask(lab, 'status', '--json')).stdout)).toMatchObject({ freshness: sources });
  const unknown =
    /^players: Not known: the listing players of source berlin \(.*, last answered on 2026-11-20\)\.$/m;
  for (const table of ['players', 'players_daily'])
    expect((await ask(lab, 'query', table)).stderr).toMatch(unknown);
  const { observedAt, freshness } = await reportOf(lab.lake, '2026-11-22T03:00:00Z');
  const age = freshness.columns.findIndex(({ label }) => label === 'Last answer');
  expect([observedAt, ...freshness.rows.map((row) => row[age])]).toEqual([FIRST, FIRST, FIRST]);
});

it('status says how fresh each source is if one lags, here because a run left it out', async () => {
  await using lab = await viewLab();
  await lab.run(FIRST, DAY);
  await lab.run(SECOND, DAY, ['berlin']);
  const { stdout } = await ask(lab, 'status');
  for (const said of ['Fresh as of 2026-11-21', '  vault: as of 2026-11-20', '  berlin: as of 2026-11-21'])
    expect(stdout).toContain(`${said} 03:00Z (`);
});

it('a lost file costs its own table and the views that need it; status names it and the cure', async () => {
  await using lab = await viewLab();
  for (const runTime of [FIRST, SECOND]) await lab.run(runTime, DAY);
  const newest = (await readHead(lab.lake))?.head.tables['screens']?.newest ?? expect.fail();
  const paths = await lab.lake.localPaths(tableKeys('screens', newest));
  await Promise.all(paths.map((path) => rm(path)));
  const fault = `The file ${paths[0]} is damaged or missing. Take an earlier commit with \`rollback RUN_ID\`, or build the tables again with \`rebuild --from 2026-11-21\`.`;

  const whole = await lab.flat('select name, (select min(coverage) from export_health) from players');
  expect(whole).toEqual(['P1', 1]);
  const refusal = { code: 'FILE_CORRUPT', message: fault };
  for (const name of ['screens', 'screens_daily', 'screen_status', 'daily_trend'])
    await expect(lab.rows(`select * from ${name}`)).rejects.toMatchObject(refusal);
  expect((await ask(lab, 'query', 'SCREENS')).stderr).toBe(`FILE_CORRUPT: ${fault}\n`);
  const status = (await ask(lab, 'status')).stdout;
  expect(status).toContain(`Broken tables; all others answer:\n  screens, screens_daily: ${fault}\n`);
  expect(status).toContain('Fresh as of 2026-11-21 03:00Z');
  expect(status).toContain('screen_status: needs screens (one of its files is damaged or missing)');
  expect(status).toMatch(/\nNext \(until it is done.*\n {2}signage-export rebuild --from 2026-11-21 --lake /);
  const { broken } = JSON.parse((await ask(lab, 'status', '--json')).stdout);
  const lost = { message: fault, date: '2026-11-21' };
  expect(broken).toEqual(['screens', 'screens_daily'].map((name) => ({ name, ...lost })));

  await rebuild('2026-11-21', operatorOf({ lake: lab.lake, config: labConfig('http://localhost:1') }));
  expect(await lab.rows('select state from screen_status')).toHaveLength(1);
  expect((await ask(lab, 'status')).stdout).not.toContain('Broken');
});

it('query, status and report read a lake that nobody may write to, and leave nothing in it', async () => {
  await using lab = await viewLab();
  await lab.run(FIRST, DAY);
  await lab.run(SECOND, { refused: true });
  const lake = lab.lake.name;
  // Permissions do not hold root back, a file in the place of the scratch folder does.
  const scratch = join(lake, '.scratch');
  await rm(scratch, { recursive: true });
  await writeFile(scratch, '');
  await chmod(lake, 0o500);
  const before = await stat(lake);
  const said = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = await ask(lab, ...args);
    expect(status, stderr).toBe(0);
    return stdout;
  };

  expect(JSON.parse(await said('query', 'select name from players', '--json'))).toEqual([{ name: 'P1' }]);
  expect(await said('status')).toContain('repair can ask again for 5 listings');
  const report = await said('report', '--out', join(lab.folder, 'page.html'));
  expect(report).toContain('Wrote ');
  expect(report).not.toContain('Left out');

  expect((await stat(lake)).mtimeMs).toBe(before.mtimeMs);
  expect((await readdir(lake)).sort()).toEqual(['.scratch', 'raw', 'state', 'state-copy', 'tables']);
  await chmod(lake, 0o700);
});
