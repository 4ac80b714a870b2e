import { describe, expect, test } from 'vitest';
import type { Scan } from '#lib/api/body/scan.ts';
import { createScanner } from '#lib/api/body/scan-body.ts';

function scan(text: string | Buffer, pieceBytes = 1 << 16): Scan {
  const bytes = Buffer.from(text);
  const scanner = createScanner(64, (from, to) => bytes.subarray(from, to));
  for (let at = 0; at < bytes.length; at += pieceBytes) scanner.push(bytes.subarray(at, at + pieceBytes));
  return scanner.end();
}

test('scalars beside the records are kept with their text', () => {
  const members = scan('{"total": 250, "next":"\\/a?b=\\u0031" ,"more":true,"none":null,"data":[{}]}')
    .container?.members;
  expect(members?.map(({ name, kind, text }) => [name, kind, text])).toEqual([
    ['total', 'number', '250'],
    ['next', 'string', '"\\/a?b=\\u0031"'],
    ['more', 'boolean', 'true'],
    ['none', 'null', 'null'],
    ['data', 'array', null],
  ]);
});

test('a map of many objects costs no container each', () => {
  const map = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`id${index}`, { a: index }]));
  const counts = { children: 1000, objects: 1000, colons: 2000 };
  expect(scan(JSON.stringify(map)).container).toMatchObject({ kind: 'object', ...counts });
  expect(scan(JSON.stringify(map)).container?.members).toHaveLength(64);
});

test('a byte order mark is seen and skipped, in one piece or three', () => {
  const body = Buffer.from('\ufeff [{}]');
  expect(scan(body)).toMatchObject({ bom: true, root: 'array', container: { from: 4, children: 1 } });
  expect(scan(body, 1)).toMatchObject({ bom: true, root: 'array', container: { from: 4, children: 1 } });
});

describe('what is no JSON', () => {
  test.each([
    ['', null, 'none'],
    [' \n', null, 'none'],
    ['[{"a":1}', 'truncated', 'array'],
    ['[{"a":"x', 'truncated', 'array'],
    ['{"data":[{"a":1},', 'truncated', 'object'],
    ['{"data', 'truncated', 'object'],
    ['"abc', 'truncated', 'string'],
    ['<html><body>', 'html', 'none'],
    ['  <?xml version="1.0"?>', 'html', 'none'],
    ['OK', 'not-json', 'none'],
    ['[]]', 'not-json', 'array'],
    ['[] x', 'not-json', 'array'],
    ['{"a" 1}', 'not-json', 'object'],
    ['{1:2}', 'not-json', 'object'],
    ['{"a":1]', 'not-json', 'object'],
    [']', 'not-json', 'none'],
    ['true', null, 'boolean'],
    ['12', null, 'number'],
    ['null', null, 'null'],
    ['"text"', null, 'string'],
  ])('%j', (body, problem, root) => {
    for (const pieceBytes of [1, 2, 1000]) expect(scan(body, pieceBytes)).toMatchObject({ problem, root });
  });
});
