import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Container, type Scan, SLICE_BYTES } from '#lib/api/body/scan.ts';
import { createScanner } from '#lib/api/body/scan-body.ts';
import { anyRecords, anySpaces, ENVELOPES, spacedJson } from './support/spaced-json.ts';

function scan(text: string | Buffer, pieceBytes = 1 << 16): Scan {
  const bytes = Buffer.from(text);
  const scanner = createScanner(64, (from, to) => bytes.subarray(from, to));
  for (let at = 0; at < bytes.length; at += pieceBytes) scanner.push(bytes.subarray(at, at + pieceBytes));
  return scanner.end();
}

function at(found: Scan, path: readonly string[]): Container | null {
  let container = found.container;
  for (const name of path)
    container = container?.members.find((member) => member.name === name)?.container ?? null;
  return container;
}

describe('any records in any envelope, in pieces of any size', () => {
  test.each(ENVELOPES)('$name', ({ name, wrap }) => {
    fc.assert(
      fc.property(anyRecords, anySpaces, fc.integer({ min: 1, max: 40 }), (records, spaces, pieceBytes) => {
        const text = Buffer.from(spacedJson(wrap(records), spaces));
        const found = scan(text, pieceBytes);
        const container = at(found, name === '$' ? [] : name.split('.'));
        expect(found).toMatchObject({ problem: null, bytes: text.length, bom: false });
        expect(container).toMatchObject({ kind: 'array', children: records.length, objects: records.length });
        const last = container?.cuts.at(-1)?.at ?? -1;
        const inner = records.length === 0 ? '' : text.subarray(container?.first, last).toString();
        expect(JSON.parse(`[${inner}]`)).toEqual(records);
        const all = text.subarray(container?.from, container?.to).toString();
        expect(all.replace(/\s/g, '')).toMatch(/^\[.*\]$/s);
      }),
    );
  });
});

test('members are counted by their colons, strings apart', () => {
  const { container } = scan('{"a:b":{"c":[{"d":":\\":"}]},"e":1}');
  expect(container).toMatchObject({ colons: 4, children: 2 });
});

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

test('a scalar of more than 1 kB is not kept', () => {
  const [member] = scan(`{"text":"${'x'.repeat(2000)}"}`, 7).container?.members ?? [];
  expect(member).toMatchObject({ name: 'text', kind: 'string', text: null });
});

test('pieces hold whole records of at most 64 KiB; a longer record is a piece of its own', () => {
  const sizes = [25_000, 25_000, 25_000, 190_000, 10, 20];
  const found = scan(JSON.stringify(sizes.map((size) => ({ text: 'x'.repeat(size) }))));
  const cuts = found.container?.cuts ?? [];
  expect(cuts.map(({ children }) => children)).toEqual([2, 3, 4, 6]);
  expect(cuts.map(({ colons }) => colons)).toEqual([2, 3, 4, 6]);
  expect((cuts[0]?.at ?? 0) - 1).toBeLessThanOrEqual(SLICE_BYTES);
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
