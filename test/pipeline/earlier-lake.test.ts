import { expect, test } from 'vitest';
import { localServices } from '#cli/local-services.ts';
import { statusOf } from '#cli/status-of.ts';
import { readHead } from '#lib/lake/head.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { tableKeys } from '#lib/lake/named-files.ts';
import { openStageDb } from '#lib/runtime/stage-duckdb.ts';
import { quoteLiteral } from '#lib/sql.ts';
import { fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';
import { withoutSums } from '../support/without-sums.ts';

const players = (count: number) => ({
  [`${SIGNAGE}/Players`]: {
    body: JSON.stringify({
      players: Array.from({ length: count }, (_, at) => ({ Id: at + 1 })),
      mood: 'fine',
    }),
  },
});

/** Makes the lake as an earlier version has left it: no notes in tables and schema, and questions in two lists. */
async function withoutNotes(lake: Lake): Promise<void> {
  const head = (await readHead(lake))?.head;
  if (head === undefined) throw new Error('nothing is committed');
  const { later: _, ...schema } = await jsonAt(lake, head.schema);
  await lake.write(head.schema, Buffer.from(JSON.stringify(schema)));
  const key = lakeKey('summary', head);
  const summary = await jsonAt(lake, key);
  const sources = summary.sources.map(({ notes: _, questions, ...source }: Record<string, unknown>) => ({
    ...source,
    asks: questions,
    questions: ['players.name: a question in words.'],
  }));
  await lake.write(key, Buffer.from(JSON.stringify({ ...summary, sources })));
  const { outcomes } = head.tables;
  if (outcomes === undefined) throw new Error('there are no outcomes');
  await using scratch = await lake.scratch();
  using db = await openStageDb(localServices(lake), scratch);
  for (const [index, file] of tableKeys('outcomes', outcomes.newest).entries()) {
    const [path = ''] = await lake.localPaths([file]);
    const made = `${scratch.path}/${index}.parquet`;
    await db.run(
      `copy (select * exclude (note) from read_parquet(${quoteLiteral(path)}, hive_partitioning = false)) to ${quoteLiteral(made)} (format parquet)`,
    );
    await lake.moveIn(file, made);
  }
  await withoutSums(lake);
}

async function jsonAt(lake: Lake, key: string) {
  const stored = await lake.read(key);
  return JSON.parse(stored?.bytes.toString('utf8') ?? '');
}

test('a lake of a version without notes is read, goes on, and has notes from the next run on', async () => {
  await using lab = await fixtureLab({ ...players(3), [`${SIGNAGE}/AppGroups`]: { status: 404, body: '' } });
  await lab.run('2026-11-20T03:00:00Z');
  await withoutNotes(lab.lake);
  expect(await lab.rows("select count(note) as noted from outcomes where resource = 'players'")).toEqual([
    { noted: 0 },
  ]);
  const status = await statusOf(lab.lake.name, lab.config);
  const questions = [{ code: 'RESOURCE_MISSING' }];
  expect(status.committed?.sources[0]).toMatchObject({ questions, notes: [] });

  const groups = { body: JSON.stringify({ items: [{ Id: 1, Name: 'g' }], stimmung: 'heiter' }) };
  const routes = { ...players(4), [`${SIGNAGE}/AppGroups`]: groups };
  const { sources } = await lab.run('2026-11-21T03:00:00Z', routes);
  expect(sources[0]?.notes).toMatchObject([{ code: 'BESIDE_UNKNOWN', resource: 'app_groups' }]);
  expect(
    await lab.rows(
      "select export_date as day, note is not null as is_noted from outcomes_daily where resource = 'app_groups' order by day",
    ),
  ).toEqual([
    { day: '2026-11-20', is_noted: false },
    { day: '2026-11-21', is_noted: true },
  ]);
});
