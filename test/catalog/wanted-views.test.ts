import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { wantedViews } from '#lib/catalog/wanted-views.ts';
import { EMPTY_SCHEMA } from '#lib/schema/schema.ts';
import { TABLES } from '#lib/schema/tables.ts';
import { readingOrder } from '#lib/views/reading-order.ts';
import { readViews } from '#lib/views/view-file.ts';
import { someOf } from '../support/some-of.ts';

const FOLDER = new URL('../../queries/', import.meta.url);
const files = await readViews(FOLDER);

describe('views in the catalog', () => {
  it('have the types of their columns for every file, and no name that a table has', async () => {
    const names = files.map(({ name }) => name);
    const typed = JSON.parse(await readFile(new URL('columns.json', FOLDER), 'utf8'));
    const cure = 'A view is missing in queries/columns.json, or gone: `npm run docs` writes it again.';
    expect(Object.keys(typed).sort(), cure).toEqual(names.toSorted());
    expect(files.map(({ name, columns }) => [name, columns])).toEqual(Object.entries(typed).toSorted());
    const tables = TABLES.flatMap(({ name }) => [name, `${name}_daily`]);
    expect(names.filter((name) => tables.includes(name))).toEqual([]);
  });

  it('tell first what answers their question: columns that they have, and no id that says nothing else', () => {
    for (const { name, tells, columns } of someOf(files)) {
      expect([name, tells.length > 0]).toEqual([name, true]);
      expect([name, tells.filter((each) => !Object.hasOwn(columns, each))]).toEqual([name, []]);
      expect([name, tells.length]).toEqual([name, new Set(tells).size]);
      const order = readingOrder(Object.keys(columns), tells).map((index) => Object.keys(columns)[index]);
      expect(order.slice(0, tells.length)).toEqual(tells);
      expect(order.toSorted()).toEqual(Object.keys(columns).toSorted());
    }
  });

  it('are stored as Athena stores them', () => {
    const columns = { a: 'varchar(7)', b: 'timestamp(3)', c: 'bigint', d: 'decimal(38,9)' };
    const without = files.filter(({ needs }) => needs.length === 0);
    const [view] = wantedViews(
      without.map((file) => ({ ...file, columns })),
      { schema: EMPTY_SCHEMA, database: 'lab' },
    );
    expect(view?.columns.map(({ type }) => type)).toEqual(['string', 'timestamp', 'bigint', 'decimal(38,9)']);
    const [, base64 = ''] = /^\/\* Presto View: (\S+) \*\/$/.exec(view?.view ?? '') ?? [];
    expect(JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))).toMatchObject({
      catalog: 'awsdatacatalog',
      schema: 'lab',
      columns: [{ name: 'a', type: 'varchar(7)' }, { type: 'timestamp(3)' }, { type: 'bigint' }, {}],
    });
  });

  it('are all there, also those whose tables the schema has no column of', () => {
    const names = wantedViews(files, { schema: EMPTY_SCHEMA, database: 'lab' }).map(({ name }) => name);
    expect(names).toEqual(files.map(({ name }) => name));
  });
});
