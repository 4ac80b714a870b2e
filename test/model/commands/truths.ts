import fc from 'fast-check';
import type { ApiRecord, TableName } from '../reference-lake.ts';
import { command, SOURCES } from './model.ts';

/** Kinds of values, of numbers, texts, moments and structures. Numbers are written as DuckDB writes them. */
export const KINDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  numbers: [
    ['0', '1', '-5', '12345'],
    ['9007199254740993', '-9223372036854775808'],
    ['1.5', '0.1', '-2.25'],
    ['1e300', '9223372036854775808', '1e-12'],
  ],
  texts: [
    ['"x"', '"1.50"', '"12"', '"ä\\u0001 \'\\""'],
    ['""', 'null'],
    ['true', 'false', '"True"'],
  ],
  moments: [
    ['"2026-01-02T03:04:05Z"', '"2026-01-02T03:04:05+02:00"', '"2026-07-02T03:04:05.678Z"'],
    ['"9999-12-31T00:00:00Z"', '"0001-01-01T00:00:00Z"', '"1600-05-05T00:00:00Z"'],
    ['"2026-01-02T03:04:05"', '"2026-07-02T23:04:05"'],
    ['"2026-01-02"', '"1600-05-05"'],
  ],
  structures: [
    ['[]', '[1,"2"]'],
    ['{}'],
    ['{"A":1}', '{"A":2,"B":"x"}', '{"A":1.5,"B":{"C":true}}', '{"B":{"C":"n"}}'],
  ],
};

/** Members of the records; views ask for the second ones. */
export const FIELDS = { players: ['V', 'LastAccess'], screens: ['V', 'LastUpdate'] } as const;
export const COLUMNS = ['players.v', 'players.last_access', 'screens.v', 'screens.last_update'];

/** What values there are of a kind, as JSON texts. */
export type Values = readonly string[];

/** A day's values of a field are of one or two of the kinds. */
const values = (kinds: readonly Values[]): fc.Arbitrary<fc.Arbitrary<string>> =>
  fc
    .subarray([...kinds], { minLength: 1, maxLength: Math.min(2, kinds.length) })
    .map((own) => fc.constantFrom(...own.flat()));

const records = (
  table: TableName,
  { kinds, max }: { readonly kinds: readonly Values[]; readonly max: number },
): fc.Arbitrary<ReadonlyMap<string, ApiRecord>> =>
  fc.tuple(values(kinds), values(kinds)).chain(([v, w]) =>
    fc
      .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 4 }), v, w), { selector: ([id]) => id, maxLength: max })
      .map(
        (all) =>
          new Map(
            all.map(([id, ...tokens]) => [
              String(id),
              {
                Id: String(id),
                ...Object.fromEntries(tokens.map((token, index) => [FIELDS[table][index] ?? '', token])),
              },
            ]),
          ),
      ),
  );

export const truths = (kinds: readonly Values[], sources: readonly string[] = SOURCES) =>
  fc
    .record({
      source: fc.constantFrom(...sources),
      players: records('players', { kinds, max: 3 }),
      screens: fc.array(records('screens', { kinds, max: 2 }), { minLength: 4, maxLength: 4 }),
    })
    .map(({ source, players, screens }) =>
      command(`truth(${source}, ${shown(players)}, ${screens.map(shown).join(' | ')})`, async (model) => {
        model.truth.set(source, {
          players,
          screens: new Map(screens.map((each, index) => [String(index + 1), each])),
        });
      }),
    );

const shown = (all: ReadonlyMap<string, ApiRecord>) =>
  [...all.values()].map((record) => JSON.stringify(record)).join(' ');
