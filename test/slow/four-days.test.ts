import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { type FixtureLab, fixtureLab, LAB_MASK_KEY, type Routes, SIGNAGE } from '../support/fixture-lab.ts';
import { maskOf } from '../support/mask-of.ts';
import { operatorOf, repairOnce } from '../support/runs.ts';
import { tablesAsText } from '../support/same-tables.ts';

const screens = (...ids: readonly number[]) => ({
  body: JSON.stringify(ids.map((Id) => ({ Id, Name: `screen ${Id}` }))),
});

const player = (id: number, day: number) =>
  `{"Id":${id},"Name":"p${id}","City":"Bern","Email":"${id}@x","Pin":"1","Size":"${id * day}","Size":"twice","Seen":"2026-09-0${id}T03:00:00"}`;

/** What the API said on day `n`, from 1, 29 September; on day 3 the screens of player 3 failed, on day 4 those of 2 were denied. */
const day = (n: number): Routes => ({
  [`${SIGNAGE}/Players`]: {
    body: `{"total":3,"state":"ok","items":[${[1, 2, 3].map((id) => player(id, n)).join()}]}`,
  },
  [`${SIGNAGE}/Licenses`]: { body: JSON.stringify([{ Type: 'A', Total: n }]) },
  [`${SIGNAGE}/Players/1/Screens`]: screens(11, 12),
  [`${SIGNAGE}/Players/2/Screens`]: screens(20 + n),
  [`${SIGNAGE}/Players/3/Screens`]: screens(31),
});

const settings = {
  config: { groups: ['City'], maskSecret: 'lab/mask', minCoverage: 0, rawRetentionDays: 3650 },
  signage: {
    timeZone: 'Europe/Berlin',
    resources: {
      players: { ignore: ['state'], mask: ['Email'], drop: ['Pin'], columns: { seen: { as: 'last_seen' } } },
    },
  },
};

/** The lake as it was left, and the same API behind it. */
async function fourDays(): Promise<FixtureLab> {
  const lab = await fixtureLab(day(4), settings);
  const packed = await readFile(new URL('../fixtures/lakes/four-days.json.gz', import.meta.url));
  const objects = JSON.parse(gunzipSync(packed).toString('utf8')) as Record<string, string>;
  for (const [key, content] of Object.entries(objects)) {
    const bytes = Buffer.from(content, 'base64');
    // The API has another port today.
    const text = () => bytes.toString('utf8').replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, lab.server.url);
    await lab.lake.write(key, key.endsWith('.json') ? Buffer.from(text()) : bytes);
  }
  return lab;
}

const SECRETS = { readKey: async () => LAB_MASK_KEY, read: async () => ({ apiKey: 'fixture-key' }) };
const apiOf = (lake: Lake) => localApiServices(localServices(lake), SECRETS, () => 0);

const totals = (lab: FixtureLab) =>
  lab.rows('select export_date[6:] d, total n from licenses_daily order by 1');
const TOTALS = ['09-29', '09-30', '10-01', '10-02', '10-03'].map((d, index) => ({ d, n: index + 1 }));
const screensOf2 = (lab: FixtureLab) =>
  lab.rows("select export_date[6:] d, id from screens_daily where player_id = '2' order by 1");

it('a lake of this format is read, and its views answer', async () => {
  await using lab = await fourDays();
  expect(await totals(lab)).toEqual(TOTALS.slice(0, 4));
  expect((await readHead(lab.lake))?.head.types).toEqual({ 'licenses.total': 'double' });
  expect(await lab.rows('select player_id, city, email, pin, size, last_seen from players')).toEqual(
    [1, 2, 3].map((id) => ({
      ...{ player_id: String(id), city: 'Bern', email: maskOf('players.email', `${id}@x`), pin: null },
      ...{ size: String(id * 4), last_seen: `2026-09-0${id}T01:00:00Z` },
    })),
  );
  const runs = await lab.flat("select status from runs where export_source = 'berlin' order by export_date");
  expect(runs).toEqual(['complete', 'complete', 'partial', 'partial']);
});

it('it is repaired, and the run that died in it goes on without asking again', async () => {
  await using lab = await fourDays();
  {
    await using api = apiOf(lab.lake);
    expect(await repairOnce(operatorOf(lab, api))).toMatchObject({ status: 'complete' });
  }
  expect(await screensOf2(lab)).toEqual(TOTALS.slice(0, 4).map(({ d, n }) => ({ d, id: 20 + n })));
  expect(await lab.run('2026-10-03T03:00:00Z', {})).toMatchObject({ status: 'complete' });
  expect(lab.server.requests.map(({ path }) => path)).toEqual([`${SIGNAGE}/Players/2/Screens`]);
  expect(await totals(lab)).toEqual(TOTALS);
});

it('it goes on with a run, is rebuilt to the same tables, and is rolled back', async () => {
  await using lab = await fourDays();
  await using api = apiOf(lab.lake);
  const services = operatorOf(lab, api);
  const wanted = { status: 'complete', sources: [{ questions: [], drift: [] }, { drift: [] }] };
  expect(await lab.run('2026-10-04T03:00:00Z', day(6))).toMatchObject(wanted);
  const changes =
    "select record_key, old_value, new_value from changes where column_name = 'size' and export_run_id = '20261004T030000Z' order by 1";
  const due = [1, 2, 3].flatMap((id) => [String(id), String(id * 4), String(id * 6)]);
  expect(await lab.flat(changes)).toEqual(due);
  // The type that was applied is in the columns of earlier days too, once they are made again. So is is_heartbeat, and so
  // is the second value of a key, which was in rejects by its name before.
  const isOfSecond = /column_name=size_2|reason=name/;
  const withoutSecond = (rows: readonly string[]) =>
    rows.filter((row) => !isOfSecond.test(row)).map((row) => row.replace(/ \| size_2=\w+/, ''));
  const changed = "select * exclude (is_heartbeat) from changes where column_name is distinct from 'size_2'";
  const content = async () => ({
    ...Object.fromEntries(
      Object.entries(await tablesAsText(lab.lake)).map(([name, rows]) => [name, withoutSecond(rows).sort()]),
    ),
    schema_columns_daily: '',
    changes: await lab.rows(`${changed} order by all`),
  });
  const before = await content();
  await rebuild('2026-10-02', services);
  expect(await content()).toEqual(before);
  const marked = 'select distinct export_date[6:] from changes where is_heartbeat is not null order by 1';
  expect(await lab.flat(marked)).toEqual(['10-02', '10-04']);
  const second = "select distinct export_date[6:] from players_daily where size_2 = 'twice' order by 1";
  expect(await lab.flat(second)).toEqual(['10-02', '10-04']);
  await rollback('20260930T030000Z', services);
  expect(await totals(lab)).toEqual(TOTALS.slice(0, 2));
  await lab.run('2026-10-05T03:00:00Z', day(7));
  expect(await totals(lab)).toEqual([...TOTALS.slice(0, 2), { d: '10-05', n: 7 }]);
});
