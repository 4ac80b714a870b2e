import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assignNames, type NamedPath, type Path } from '#lib/schema/columns/assign-names.ts';
import { columnName } from '#lib/schema/columns/column-name.ts';

const VALID = /^[a-z_][a-z0-9_]*$/;
const RESERVED = ['export_source', 'record_key', 'player_id'];

describe('columnName', () => {
  test.each([
    [['LastStatusChange'], 'last_status_change'],
    [['Resolution', 'Width'], 'resolution_width'],
    [['URLPath'], 'url_path'],
    [['PlayerIDs'], 'player_ids'],
    [['HTML5Player'], 'html5_player'],
    [['Is3DEnabled'], 'is3d_enabled'],
    [['IPv4Address'], 'ipv4_address'],
    [['camelCaseId'], 'camel_case_id'],
    [['nb_slots'], 'nb_slots'],
    [['kebab-case'], 'kebab_case'],
    [['a.b c'], 'a_b_c'],
    [['Straße'], 'strasse'],
    [['GERÄTENR'], 'geraetenr'],
    [['GrößeÄnderung'], 'groesse_aenderung'],
    [['Gro\u0308\u00dfe'], 'groesse'],
    [['Café'], 'cafe'],
    [['中文'], 'u4e2du6587'],
    [['1stSeen'], '_1st_seen'],
    [['select'], 'select'],
    [['a"; drop table x; --'], 'a_drop_table_x'],
    [[''], 'empty'],
    [['🙂'], 'empty'],
  ] as const)('%j is %s', (path, name) => {
    expect(columnName(path)).toBe(name);
  });

  test('a name that is too long ends in a hash, and two such differ', () => {
    const [a, b] = [columnName(['x'.repeat(300)]), columnName([`${'x'.repeat(300)}y`])];
    expect([a.length, b.length]).toEqual([120, 120]);
    expect(a).not.toBe(b);
  });

  test('whatever the path, the name is a plain identifier', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (path) => {
        expect(columnName(path)).toMatch(VALID);
        expect(columnName(path).length).toBeLessThanOrEqual(120);
      }),
    );
  });
});

const named = (known: readonly NamedPath[], paths: Record<string, readonly Path[]>) =>
  assignNames({ reserved: RESERVED, known, paths });
const columns = (names: readonly NamedPath[]) =>
  Object.fromEntries(names.map(({ source, path, column }) => [`${source}:${path.join('.')}`, column]));

describe('assignNames', () => {
  test('of keys that give one name, the one that most sources show has it: one source takes it from no other', () => {
    const names = named([], { healthy: [['Id']], hostile: [['ID'], ['Id'], ['$id']], other: [['Id']] });
    const due = { 'healthy:Id': 'id', 'hostile:$id': 'id_3', 'hostile:ID': 'id_2' };
    expect(columns(names)).toEqual({ ...due, 'hostile:Id': 'id', 'other:Id': 'id' });
  });

  test('a name with a sign before it comes behind the same name without', () => {
    const paths = [['_created'], ['created'], ['$id'], ['Id'], ['_links', 'self'], ['links', '_self']];
    expect(columns(named([], { a: paths }))).toEqual({
      'a:$id': 'id_2',
      'a:Id': 'id',
      'a:_created': 'created_2',
      'a:_links.self': 'links_self',
      'a:created': 'created',
      'a:links._self': 'links_self_2',
    });
  });

  const key = fc.oneof(
    fc.constantFrom(...'Name name NAME name_2 Name2 na-me PlayerId player_id Ä ae'.split(' '), ''),
    fc.string({ maxLength: 3 }),
  );
  const path = fc.array(key, { minLength: 1, maxLength: 2 });
  const paths = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.array(path, { maxLength: 8 }));
  const shuffled = (run: Record<string, readonly Path[]>) =>
    Object.fromEntries(
      Object.entries(run)
        .reverse()
        .map(([source, list]) => [source, list.toReversed()]),
    );

  test('names are valid, not reserved, and unique among the paths of a source', () => {
    fc.assert(
      fc.property(paths, paths, (first, second) => {
        const names = named(named([], first), second);
        expect(names.filter(({ column }) => !VALID.test(column) || RESERVED.includes(column))).toEqual([]);
        const sources = Object.entries(second).map(([source, list]) => {
          const distinct = new Set(list.map((each) => JSON.stringify(each)));
          const mine = names.filter(
            (name) => name.source === source && distinct.has(JSON.stringify(name.path)),
          );
          return { paths: distinct.size, columns: new Set(mine.map(({ column }) => column)).size };
        });
        expect(sources.filter((each) => each.paths !== each.columns)).toEqual([]);
      }),
    );
  });

  test('the order of sources and paths does not matter', () => {
    fc.assert(
      fc.property(paths, paths, (first, second) => {
        const names = named(named([], first), second);
        expect(named(named([], shuffled(first)).toReversed(), shuffled(second))).toEqual(names);
      }),
    );
  });

  test('a published name stays, unless its source shows two paths of that name together', () => {
    fc.assert(
      fc.property(paths, paths, (first, second) => {
        const known = named([], first);
        const keyOf = ({ source, path }: NamedPath) => JSON.stringify([source, ...path]);
        const now = new Map(named(known, second).map((name) => [keyOf(name), name.column]));
        const moved = known.filter((name) => {
          const shown = (second[name.source] ?? []).map((each) => JSON.stringify(each));
          const rivals = known.filter(
            (other) =>
              other.source === name.source &&
              other.column === name.column &&
              shown.includes(JSON.stringify(other.path)),
          );
          const isAlone = new Set(rivals.map((other) => JSON.stringify(other.path))).size < 2;
          return isAlone && now.get(keyOf(name)) !== name.column;
        });
        expect(moved).toEqual([]);
      }),
    );
  });
});
