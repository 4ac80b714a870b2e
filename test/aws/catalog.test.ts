import { beforeAll, describe, expect, inject, it } from 'vitest';
import { glueCatalog } from '#lib/aws/glue-catalog.ts';
import { s3Lake } from '#lib/aws/s3-lake.ts';
import { syncCatalog } from '#lib/catalog/sync-catalog.ts';
import { type FixtureLab, fixtureLab, type Routes, SIGNAGE } from '../support/fixture-lab.ts';
import { motoAt } from './support/moto.ts';
import { s3At, speakWith } from './support/s3.ts';
import { trinoAt } from './support/trino.ts';

const standIns = inject('standIns');
const s3 = s3At(standIns.s3);
const moto = motoAt(standIns.moto);
const trino = trinoAt(standIns.trino);
beforeAll(async () => {
  speakWith(s3);
});

const licenses = (...totals: string[]): Routes => ({
  [`${SIGNAGE}/Licenses`]: {
    body: `[${totals.map((total, index) => `{"Type":"T${index}","TotalCount":${total}}`).join(',')}]`,
  },
});

interface CatalogLab extends AsyncDisposable {
  readonly lab: FixtureLab;
  readonly rows: (sql: string) => Promise<readonly (readonly unknown[])[]>;
}

let databases = 0;

/** A lake on S3 whose commits are followed by the catalog, as deployed ones are. */
async function catalogLab(routes: Routes): Promise<CatalogLab> {
  databases += 1;
  const name = `db${databases}`;
  await moto.createDatabase(name);
  const lake = s3Lake(`s3://${await s3.bucket(`${name}-lake`)}`, { pathStyle: true });
  const catalog = glueCatalog(name, { client: moto.glue });
  const afterCommit = async () => void (await syncCatalog(lake, catalog, []));
  const lab = await fixtureLab(routes, {}, { lake, afterCommit });
  return {
    lab,
    rows: async (sql) => (await trino.query(sql, name)).rows,
    [Symbol.asyncDispose]: async () => {
      await lab[Symbol.asyncDispose]();
      await lake[Symbol.asyncDispose]();
    },
  };
}

describe('the catalog in Trino', () => {
  it('reads both days of a column that widened on the second, with a WHERE on it', async () => {
    await using at = await catalogLab(licenses('10', '20'));
    await at.lab.run('2026-11-20T03:00:00Z');
    expect(await at.rows('select total_count from licenses where total_count > 15')).toEqual([[20]]);
    await at.lab.run('2026-11-21T03:00:00Z', licenses('10', '20.5'));
    const sql =
      'select export_date, total_count from licenses_daily where total_count > 15 order by export_date';
    expect(await at.rows(sql)).toEqual([
      ['2026-11-20', '20.000000000'],
      ['2026-11-21', '20.500000000'],
    ]);
  });

  it('reads a column that had no value on the first day', async () => {
    await using at = await catalogLab(licenses('null', 'null'));
    await at.lab.run('2026-11-20T03:00:00Z');
    expect(await at.rows('select total_count from licenses')).toEqual([[null], [null]]);
    await at.lab.run('2026-11-21T03:00:00Z', licenses('7', 'null'));
    const sql = 'select export_date, total_count from licenses_daily where total_count > 1';
    expect(await at.rows(sql)).toEqual([['2026-11-21', 7]]);
    expect(await at.rows('select count(*), count(total_count) from licenses_daily')).toEqual([[4, 1]]);
  });

  it('shows a reader whole runs alone while runs are committed', async () => {
    await using at = await catalogLab(licenses('1', '1', '1'));
    await at.lab.run('2026-11-01T03:00:00Z');
    let isOver = false;
    const seen = new Set<unknown>();
    const reading = (async () => {
      do {
        // Every run writes its own number into each of its rows.
        const [row] = await at.rows(
          'select count(*), count(distinct total_count), min(total_count), count(distinct export_run_id) from licenses',
        );
        expect([row?.[0], row?.[1], row?.[3]]).toEqual([3, 1, 1]);
        seen.add(row?.[2]);
      } while (!isOver);
    })();
    for (let run = 2; run <= 8; run += 1) {
      const total = String(run);
      await at.lab.run(`2026-11-0${run}T03:00:00Z`, licenses(total, total, total));
    }
    isOver = true;
    await reading;
    expect(seen.size).toBeGreaterThan(2);
  });
});
