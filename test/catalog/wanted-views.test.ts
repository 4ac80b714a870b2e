import { describe, expect, it } from 'vitest';
import { readViews } from '#lib/catalog/read-views.ts';
import { wantedViews } from '#lib/catalog/wanted-views.ts';
import { TABLES } from '#lib/schema/tables.ts';

const views = await readViews(new URL('../../queries/', import.meta.url));
const schema = { version: 1, tables: {} } as const;

describe('views in the catalog', () => {
  it('have the types of their columns for every file, and no name that a table has', () => {
    const names = views.files.map(({ name }) => name);
    expect(Object.keys(views.columns).sort()).toEqual(names.toSorted());
    const tables = TABLES.flatMap(({ name }) => [name, `${name}_daily`]);
    expect(names.filter((name) => tables.includes(name))).toEqual([]);
  });

  it('are stored as Athena stores them', () => {
    const [file] = views.files.filter(({ needs }) => needs.length === 0);
    const columns = {
      [file?.name ?? '']: { a: 'varchar(7)', b: 'timestamp(3)', c: 'bigint', d: 'decimal(38,9)' },
    };
    const [view] = wantedViews(
      { files: file === undefined ? [] : [file], columns },
      { schema, database: 'lab' },
    );
    expect(view?.columns.map(({ type }) => type)).toEqual(['string', 'timestamp', 'bigint', 'decimal(38,9)']);
    const [, base64 = ''] = /^\/\* Presto View: (\S+) \*\/$/.exec(view?.view ?? '') ?? [];
    expect(JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))).toMatchObject({
      catalog: 'awsdatacatalog',
      schema: 'lab',
      columns: [{ name: 'a', type: 'varchar(7)' }, { type: 'timestamp(3)' }, { type: 'bigint' }, {}],
    });
  });

  it('are left out where the schema cannot answer them', () => {
    const [file] = views.files.filter(({ needs }) => needs.length > 0);
    const { columns } = views;
    expect(
      wantedViews({ files: file === undefined ? [] : [file], columns }, { schema, database: 'lab' }),
    ).toEqual([]);
  });
});
