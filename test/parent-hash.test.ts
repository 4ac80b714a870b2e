import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { hashRanges, hashSql, inRangeSql, parentHash } from '#lib/parent-hash.ts';
import type { BatchGroup } from '#lib/run/batch.ts';
import { cutBatches } from '#lib/run/cut-batches.ts';
import { quoteLiteral } from '#lib/sql.ts';
import { openCells } from './schema/cells.ts';
import { labConfig } from './support/export-lab.ts';

const db = await openCells();
afterAll(() => db[Symbol.dispose]());

/** Any text that raw can hold. */
const ids = fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 20 }), { minLength: 1, maxLength: 200 });
const rowsOf = (parents: readonly string[]) =>
  `(values ${parents.map((id) => `(${quoteLiteral(id)})`).join(', ')}) as parents (id)`;

describe('the hash of a parent', () => {
  it('is the same in JavaScript and in SQL', async () => {
    await fc.assert(
      fc.asyncProperty(ids, async (parents) => {
        const rows = await db.rows(`select id, ${hashSql('id')} as hash from ${rowsOf(parents)}`);
        expect(rows).toHaveLength(parents.length);
        for (const { id, hash } of rows) expect(hash).toBe(parentHash(String(id)));
      }),
    );
  });

  it('lies in one range and no other, however many there are', async () => {
    await fc.assert(
      fc.asyncProperty(ids, fc.integer({ min: 1, max: 40 }), async (parents, count) => {
        const hits = hashRanges(count).map((range) => `(${inRangeSql('id', range)})::integer`);
        const [row] = await db.rows(
          `select count(*) as wrong from ${rowsOf(parents)} where ${hits.join(' + ')} <> 1`,
        );
        expect(row?.wrong).toBe(0n);
      }),
      { numRuns: 30 },
    );
  });
});

it('batches have ranges of the hash behind each other, whatever the order of the listing', () => {
  const [source] = labConfig('http://127.0.0.1', { signage: { requestsPerSecond: 0.1 } }).sources;
  if (source === undefined) throw new Error('no source');
  fc.assert(
    fc.property(ids, (parents) => {
      const cut = (listed: readonly string[]) =>
        cutBatches(
          source,
          ['screens', 'pending_file_transfers'].map(
            (resource) => ({ resource, failures: 0, parents: [...listed] }) as BatchGroup,
          ),
        );
      const batches = cut(parents);
      expect(cut(parents.toReversed())).toEqual(batches);
      expect(batches.length).toBe(Math.min(parents.length, Math.ceil((2 * parents.length) / 12)));
      const hashes = batches.flatMap(([group]) => group?.parents.map(parentHash) ?? []);
      expect(hashes).toEqual(parents.map(parentHash).toSorted());
    }),
  );
});
