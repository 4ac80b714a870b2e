import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonFault, parseJson, withValueAt } from '#lib/config/parse-json.ts';
import { withSetting } from '#lib/config/with-setting.ts';

const NO_QUOTE =
  'line 1, column 7: this text has no closing quote, or a line break, tab or backslash that JSON does not allow';

describe('parseJson', () => {
  it('gives what JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses what JSON.parse refuses', () => {
    const text = fc.string({ unit: fc.constantFrom(...'{}[]":,\\/ \n\ttruefalsn01.-+eE'), maxLength: 12 });
    const works = (step: () => unknown) => {
      try {
        step();
        return true;
      } catch (error) {
        if (!(error instanceof SyntaxError || error instanceof JsonFault)) throw error;
        return false;
      }
    };
    fc.assert(
      fc.property(text, (each) => {
        expect([each, works(() => parseJson(each))]).toEqual([each, works(() => JSON.parse(each))]);
      }),
      { numRuns: 5000 },
    );
  });

  it('ignores a byte order mark and keeps hostile names as they are', () => {
    const value = parseJson('\uFEFF{"__proto__": {"a": 1}}');
    expect(Object.keys(Object(value))).toEqual(['__proto__']);
    expect(Reflect.get(Object(value), 'a')).toBeUndefined();
  });

  it.each([
    ['', 'line 1, column 1: the text ends too early'],
    ['{"a": "secret",\n "b" 1}', 'line 2, column 6: a colon is due here'],
    ['{"a": 1\n "b": 1}', 'line 2, column 2: a comma or a closing bracket is due here'],
    ['[1 2]', 'line 1, column 4: a comma or a closing bracket is due here'],
    ['[1, 2,\n]', 'line 2, column 1: a value is due here, and no comma is before ]'],
    ['{"a": 1,}', 'line 1, column 9: a name in double quotes is due here, and no comma is before }'],
    ['{"a": 1', 'line 1, column 8: the text ends too early'],
    ['{a: 1}', 'line 1, column 2: this is no word of JSON'],
    ['{"a": \'secret\'}', 'line 1, column 7: this is no word of JSON'],
    ['{"a": secret}', 'line 1, column 7: this is no word of JSON'],
    ['{"a": 01}', 'line 1, column 8: a comma or a closing bracket is due here'],
    ['{} 1', 'line 1, column 4: the JSON ends here, but the text goes on'],
    ['{"a": "secret}', NO_QUOTE],
    ['{"a": "C:\\secret"}', NO_QUOTE],
    ['{} x', 'line 1, column 4: this is no word of JSON'],
    [
      '{\r\n  "a": 1, "b": {"a": 2},\r\n  "a": 3\r\n}',
      'line 3, column 3: the name "a" is here for the second time',
    ],
    ['/* x */ {}', 'line 1, column 1: JSON has no comments: remove this one'],
    ['{"a": 1 # x\n}', 'line 1, column 9: this is no word of JSON'],
  ])('says of %j where and what is wrong', (text, says) => {
    expect(() => parseJson(text)).toThrow(says);
    expect(() => parseJson(text)).not.toThrow('secret');
  });
});

describe('a value put into a JSON text', () => {
  const CASES: ReadonlyArray<
    readonly [before: string, path: readonly (string | number)[], value: unknown, after: string]
  > = [
    ['{"a":1}', ['a'], 2, '{"a":2}'],
    ['{ "a" : 1 , "b":[ 1,2 ] }', ['b'], 'x', '{ "a" : 1 , "b":"x" }'],
    ['{}', ['a', 'b'], 1, '{\n  "a": {\n    "b": 1\n  }\n}'],
    [
      '{\n\t"a": {\n\t\t"b": 1\n\t}\n}\n',
      ['a', 'c'],
      { d: 1 },
      '{\n\t"a": {\n\t\t"b": 1,\n\t\t"c": {\n\t\t\t"d": 1\n\t\t}\n\t}\n}\n',
    ],
    [
      '{\r\n    "a": 1\r\n}\r\n',
      ['b', 'c'],
      1,
      '{\r\n    "a": 1,\r\n    "b": {\r\n        "c": 1\r\n    }\r\n}\r\n',
    ],
  ];
  it.each(CASES)('%j at %j = %j', (before, path, value, after) => {
    expect(withValueAt(before, path, value)).toBe(after);
  });

  it('is there, and everything else is as it was, whatever the document and its layout', () => {
    const layouts = [undefined, 0, 1, 2, '\t'] as const;
    const property = fc.property(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }),
      fc.constantFrom(...layouts),
      fc.array(fc.string(), { minLength: 1, maxLength: 3 }),
      fc.jsonValue({ maxDepth: 2 }),
      (document, layout, path, value) => {
        const plain = JSON.parse(JSON.stringify(document));
        const wanted = structuredClone(plain);
        let at = wanted;
        for (const name of path.slice(0, -1)) {
          if (!Object.hasOwn(at, name)) define(at, name, {});
          at = Object.getOwnPropertyDescriptor(at, name)?.value;
          if (typeof at !== 'object' || at === null || Array.isArray(at)) return;
        }
        define(at, path.at(-1) ?? '', JSON.parse(JSON.stringify(value)));
        const text = JSON.stringify(plain, null, layout);
        const edited = withValueAt(text, path, JSON.parse(JSON.stringify(value)));
        expect(JSON.stringify(JSON.parse(edited))).toBe(JSON.stringify(wanted));
      },
    );
    fc.assert(property, { numRuns: 500 });
  });

  function define(object: object, name: string, value: unknown): void {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  }
});

const text =
  '{\n  "name": "lab",\n  "sources": [\n    { "name": "berlin", "kind": "signage" },\n    { "name": "vault" }\n  ]\n}\n';

it('a setting put into a config stands in its own source, and says what was there', () => {
  const first = withSetting(text, { source: 'vault', setting: 'versions.slots', value: 1 });
  expect(first).toMatchObject({ field: 'sources[1].versions.slots', before: undefined, value: 1 });
  expect(JSON.parse(first.text).sources).toEqual([
    { name: 'berlin', kind: 'signage' },
    { name: 'vault', versions: { slots: 1 } },
  ]);
  const second = withSetting(first.text, { source: 'vault', setting: 'versions.slots', value: 2 });
  expect(second).toMatchObject({ before: 1, value: 2 });
  expect(withSetting(second.text, { source: 'vault', setting: 'versions.slots', value: 2 }).text).toBe(
    second.text,
  );
});
