import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SLICE_BYTES } from '#lib/api/body/scan.ts';
import { cutSlices, type Slice } from '#lib/api/records/slices.ts';
import { bodyOf } from './support/body-of.ts';
import { foundIn } from './support/found-records.ts';
import { anyRecords, anySpaces, ENVELOPES, spacedJson } from './support/spaced-json.ts';

async function slices(content: string | Buffer, items?: string): Promise<readonly Slice[]> {
  const body = await bodyOf(content, { pieceBytes: 50_000 });
  const all = [...cutSlices(body, foundIn(body, { setting: items }).place)];
  body.close();
  return all;
}

/** The records as SQL finds them: by code points in the body. */
function recordsIn({ body, recordsFrom, recordsTo, items, mended }: Slice): readonly unknown[] {
  const text = body.toString();
  if (items === 0) return [];
  if (mended !== null) return JSON.parse(mended);
  if (recordsFrom === null || recordsTo === null) return JSON.parse(text);
  return JSON.parse(`[${[...text].slice(recordsFrom, recordsTo).join('')}]`);
}

function joined(all: readonly Slice[]): string {
  return Buffer.concat(all.map(({ body }) => body)).toString();
}

describe('slices joined are what was served, their records together are its records', () => {
  test.each(ENVELOPES)('$name', async ({ name, wrap }) => {
    await fc.assert(
      fc.asyncProperty(anyRecords, anySpaces, async (records, spaces) => {
        const text = spacedJson(wrap(records), spaces);
        const all = await slices(text, name);
        expect(joined(all)).toBe(text);
        expect(all.flatMap((slice) => slice.records)).toEqual(records);
        if (all.every(({ mended }) => mended === null)) expect(all.flatMap(recordsIn)).toEqual(records);
        expect(all.reduce((sum, { items }) => sum + items, 0)).toBe(records.length);
      }),
    );
  });

  test('records of up to 40 kB, some behind 64 KiB', async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 14 });
    const fill = fc.constantFrom('x', 'ä', '😀', '\\"');
    const envelope = fc.constantFrom(...ENVELOPES);
    await fc.assert(
      fc.asyncProperty(sizes, fill, envelope, anySpaces, async (lengths, text, { name, wrap }, spaces) => {
        const records = lengths.map((length, id) => ({ id, text: text.repeat(length / text.length) }));
        const served = spacedJson(wrap(records), spaces);
        const all = await slices(served, name);
        expect(joined(all) === served).toBe(true);
        expect(all.flatMap(recordsIn)).toEqual(records);
        for (const { body, items } of all) if (items > 1) expect(body.length).toBeLessThan(SLICE_BYTES + 200);
      }),
      { numRuns: 30 },
    );
  });
});

test('a bare array in one slice needs no positions', async () => {
  const [slice] = await slices(' [ {"Id":1} ] ');
  expect(slice).toMatchObject({ items: 1, recordsFrom: null, recordsTo: null, mended: null });
});

test('behind a byte order mark, positions count the mark as one code point', async () => {
  const [slice] = await slices('\ufeff[{"Id":"ä"}]');
  expect(slice).toMatchObject({ items: 1, recordsFrom: 2, recordsTo: 12, mended: null });
});

test('an empty listing is one slice without a record', async () => {
  const none = { items: 0, recordsFrom: null, recordsTo: null };
  expect(await slices('{"data":[],"total":0}')).toMatchObject([none]);
});

test('what stands around the records is cut as well where it is long', async () => {
  const body = `{"note":"${'ä'.repeat(50_000)}","data":[{"Id":1},{"Id":2}],"tail":"${'x'.repeat(94_000)}"}`;
  const all = await slices(body);
  expect(joined(all) === body).toBe(true);
  expect(all.map(({ items }) => items)).toEqual([0, 0, 2, 0, 0]);
  for (const slice of all) expect(slice.body.length).toBeLessThanOrEqual(SLICE_BYTES);
});

test('a map of objects becomes records with their key', async () => {
  const all = await slices('{"7":{"Name":"a"},"b\\"c":{},"3":{"$key":"own","Name":"d"}}', '{}');
  const [before, map] = all;
  expect(all).toHaveLength(2);
  expect(before).toMatchObject({ items: 0, mended: null });
  const records = ['{"$key":"7","Name":"a"}', '{"$key":"b\\"c"}', '{"$key":"own","Name":"d"}'].join();
  expect(JSON.parse(map?.mended ?? '')).toEqual(JSON.parse(`[${records}]`));
  expect(map).toMatchObject({ items: 3, records: JSON.parse(`[${records}]`) });
});

test('a long map is cut between its entries', async () => {
  const entries = Array.from({ length: 9 }, (_, id) => [`k${id}`, { id, text: 'ä'.repeat(9_000) }] as const);
  const served = `{"data" : ${JSON.stringify(Object.fromEntries(entries), null, 1)} }`;
  const all = await slices(served, 'data{}');
  expect(joined(all) === served).toBe(true);
  expect(all.map(({ items }) => items)).toEqual([0, 0, 0, 3, 3, 3]);
  expect(all.flatMap(recordsIn)).toEqual(entries.map(([key, record]) => ({ $key: key, ...record })));
});

test('a long list below one entry is cut between its records, and a longer record is alone', async () => {
  const players = [70, 40, 20, 40, 20].map((kB, id) => ({ id, text: 'x'.repeat(kB * 1000) }));
  const all = await slices(JSON.stringify({ data: [{ players }] }), 'data[].players');
  expect(all.map(({ items }) => items)).toEqual([0, 0, 0, 1, 2, 2]);
  expect(all.flatMap(recordsIn)).toEqual(players);
});

test('integers beyond 2^53 are handed on as their digits', async () => {
  const [slice] = await slices('[{"Id":9007199254740993,"Small":12,"Float":0.5}]');
  expect(slice?.records).toEqual([{ Id: '9007199254740993', Small: 12, Float: 0.5 }]);
});

const pad = `{"pad":"${'x'.repeat(44_000)}"}`;
test.each([
  ['nan far behind', `[${pad},${pad},{"a":nan}]`],
  ['a comma too many', `[${pad},${pad},]`],
  ['two commas at a cut', `[${pad},,${pad}]`],
  ['no comma at a cut', `[${pad} ${pad}]`],
  ['a space that JSON lacks at a cut', `[${pad}\v,${pad}]`],
  ['rubbish before the records', `{"a":nul,"data":[${pad},${pad}]}`],
  ['rubbish behind the records', `{"data":[${pad},${pad}],"a":01}`],
])('JSON that only the grammar shows to be none: %s', async (_, body) => {
  await expect(slices(body)).rejects.toMatchObject({ code: 'BODY_NOT_JSON' });
});
