import { describe, expect, test } from 'vitest';
import type { Scan } from '#lib/api/body/scan.ts';
import { createScanner } from '#lib/api/body/scan-body.ts';

function scan(text: string | Buffer, pieceBytes = 1 << 16): Scan {
  const bytes = Buffer.from(text);
  const scanner = createScanner(64, (from, to) => bytes.subarray(from, to));
  for (let at = 0; at < bytes.length; at += pieceBytes) scanner.push(bytes.subarray(at, at + pieceBytes));
  return scanner.end();
}

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
