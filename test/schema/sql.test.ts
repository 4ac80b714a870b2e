import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, expect, it, test } from 'vitest';
import { COLUMN_TYPES, type ColumnType, duckdbType, glueType, trinoType } from '#lib/column-types.ts';
import { openDuckDb } from '#lib/runtime/duckdb.ts';
import { maskKeyId, maskMacro } from '#lib/schema/cells/mask-sql.ts';
import { quoteIdentifier, quoteLiteral } from '#lib/sql.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { openCells } from './cells.ts';

const db = await openCells();
afterAll(() => db[Symbol.dispose]());

const foreign = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom("'; drop table x; --", '"', "''", '\\', '\0', 'a\0', '$1', '?', ':name', '/* */', '-- x\n'),
);

test('a quoted literal is the text, whatever it holds', async () => {
  await fc.assert(
    fc.asyncProperty(foreign, async (text) => {
      expect(await db.rows(`select ${quoteLiteral(text)} as text`)).toEqual([{ text }]);
    }),
  );
});

test('a quoted identifier is the name, whatever it holds', async () => {
  const names = foreign.filter((name) => name !== '' && !name.includes('\0'));
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      expect(await db.rows(`select 1 as ${quoteIdentifier(name)}`)).toEqual([{ [name]: 1 }]);
    }),
  );
  expect(() => quoteIdentifier('a\0')).toThrow('NUL');
});

/** What Parquet stores a type as. */
const PHYSICAL: Readonly<Record<ColumnType, string>> = {
  boolean: 'BOOLEAN',
  bigint: 'INT64',
  'decimal(38,9)': 'FIXED_LEN_BYTE_ARRAY',
  double: 'DOUBLE',
  date: 'INT32',
  timestamp: 'INT64',
  varchar: 'BYTE_ARRAY',
};

test.each(COLUMN_TYPES)('%s is in Parquet what every engine reads as it', async (type) => {
  const [spill] = await db.rows(`select current_setting('temp_directory') as folder`);
  const file = quoteLiteral(`${spill?.folder}/type.parquet`);
  await db.run(`copy (select null::${duckdbType(type)} as c) to ${file} (format parquet)`);
  const [row] = await db.rows(`
    select concat_ws(' ', type, coalesce(logical_type, converted_type)) as form
    from parquet_schema(${file}) where name = 'c'`);
  expect(String(row?.form)).toContain(PHYSICAL[type]);
  if (type === 'timestamp') expect(String(row?.form)).toMatch(/isAdjustedToUTC=0.*MILLIS/);
  expect([glueType(type), trinoType(type)]).not.toContain('');
});

it.each([1, 63, 64, 65, 200])(
  'a mask by a key of %i bytes is the HMAC-SHA-256 of place and text',
  async (bytes) => {
    await using folder = await temporaryFolder();
    const places = { folders: [folder.path], spillTo: folder.path };
    using db = await openDuckDb({ ...places, memoryLimitMiB: 256, threads: 1 });
    const key = Buffer.from(Array.from({ length: bytes }, (_, index) => (index * 37 + bytes) % 256));
    await db.run(maskMacro(key));
    const [place, text] = ['players.email', "ö'; drop"];
    const rows = await db.rows(`select mask_text(${quoteLiteral(place)}, ${quoteLiteral(text)}) as mask`);
    const own = createHmac('sha256', key).update(`${place}\x1f${text}`).digest('hex');
    expect(rows).toEqual([{ mask: `${maskKeyId(key)}:${own}` }]);
  },
);
