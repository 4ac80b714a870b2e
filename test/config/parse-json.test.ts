import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonFault, parseJson } from '#lib/config/parse-json.ts';

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
    [
      '{"a": "secret}',
      'line 1, column 7: this text has no closing quote, or a line break, tab or backslash that JSON does not allow',
    ],
    [
      '{"a": "C:\\secret"}',
      'line 1, column 7: this text has no closing quote, or a line break, tab or backslash that JSON does not allow',
    ],
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
