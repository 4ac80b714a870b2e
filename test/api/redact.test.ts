import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor, createSecretFinder } from '#lib/api/body/secret-finder.ts';
import { refusePlainKey } from '#lib/api/plain-key.ts';
import { growthOf } from '../support/growth.ts';
import { decodings, SPELLINGS } from '../support/secret-spellings.ts';

function redacted(pieces: readonly Buffer[], secrets: readonly string[]): string {
  const redactor = createRedactor(createSecretFinder(secrets));
  return Buffer.concat([...pieces.map((piece) => redactor.push(piece)), redactor.end()]).toString();
}

test('a secret is replaced wherever pieces cut it', () => {
  const secret = fc.stringMatching(/^[ab]{20,24}$/);
  const text = fc.array(fc.oneof(fc.stringMatching(/^[ab]{0,9}$/), fc.constant('SECRET')), { maxLength: 12 });
  fc.assert(
    fc.property(secret, text, fc.integer({ min: 1, max: 9 }), (key, parts, pieceBytes) => {
      const whole = parts.join('').replaceAll('SECRET', key);
      const bytes = Buffer.from(whole);
      const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
        bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
      );
      expect(redacted(pieces, [key])).toBe(whole.replaceAll(key, '[secret]'));
    }),
  );
});

test('of two secrets that begin alike the longer one is replaced whole', () => {
  const pieces = ['key-12', '34', '-more key-1234.'].map((piece) => Buffer.from(piece));
  expect(redacted(pieces, ['key-1234', 'key-1234-more'])).toBe('[secret] [secret].');
});

/** Keys as vendors give them: with all that a header may carry, as a GUID, as Base64, as digits. */
const KEYS = [
  ...['k+4/Zq=9"x\\y&1<2\'z', '3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
  ...['Zm9vYmFyLWJhei1xdXV4LXF1dXV4PT0=', 'gf_live_0123456789abcdefABCDEF'],
];

test.each(Object.keys(SPELLINGS))('a secret is found %s, wherever it stands and pieces cut it', (name) => {
  const spell = SPELLINGS[name] ?? String;
  const around = fc.stringMatching(/^[a-z :,]{0,12}$/);
  fc.assert(
    fc.property(
      fc.constantFrom(...KEYS),
      around,
      around,
      fc.integer({ min: 1, max: 40 }),
      (key, before, behind, size) => {
        const body = Buffer.from(`{"a":"${before} ${spell(key)} ${behind}","n":1}`);
        const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
          body.subarray(index * size, (index + 1) * size),
        );
        const safe = redacted(pieces, [key]);
        expect(safe).toContain('[secret]');
        expect(decodings(safe).filter((text) => text.includes(key))).toEqual([]);
        expect(safe.startsWith(`{"a":"${before} `)).toBe(true);
        expect(safe.endsWith(` ${behind}","n":1}`)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

test('a secret that begins as an escape ends is found behind a sign of escapes', () => {
  const key = '2bfoo0x41+key-of-a-source';
  for (const before of ['%', '\\', '\\\\', '=', '&#x', '%25', '&amp;#'])
    for (const text of [key, key.replace('2', '\\u0032'), key.replace('2', '%32'), key.replace('+', '%2B')])
      expect(redacted([Buffer.from(before + text)], [key]), before + text).toContain('[secret]');
});

test('a GUID is found in capitals and without its hyphens', () => {
  const guid = '3f2504e0-4f89-11d3-9a0c-0305e82c3301';
  const body = `${guid.toUpperCase()} {${guid}} ${guid.replaceAll('-', '')} ${guid.replaceAll('-', '').toUpperCase()}`;
  expect(redacted([Buffer.from(body)], [guid])).toBe('[secret] {[secret]} [secret] [secret]');
});

test('text without a secret is handed on byte for byte, whatever escapes it has', () => {
  const text = fc.string({
    unit: fc.constantFrom('\\', '%', '&', '#', 'u', '0', '2', 'B', ';', 'k', '+', '"', 'é'),
  });
  fc.assert(
    fc.property(fc.array(text), fc.integer({ min: 1, max: 9 }), (parts, size) => {
      const bytes = Buffer.from(parts.join(''));
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect(redacted(pieces, ['key+of+a+source'])).toBe(bytes.toString());
    }),
  );
});

test('a body of escapes is looked through in linear time', () => {
  const look = (bytes: number) => redacted([Buffer.from('\\u0026#\\\\%25&amp;'.repeat(bytes / 20))], KEYS);
  expect(growthOf(look, { from: 200_000, to: 4_000_000 })).toBeLessThan(4);
});

const refusing = (key: string) => () => refusePlainKey(key, { name: 'berlin', secret: 'lab/berlin' });

describe('a key that is too plain to be one', () => {
  test.each([
    ['abc-123', 'shorter than 8'],
    ['12345678', 'digits alone'],
    ['2026-11-20', 'digits alone'],
    ['192.168.0.1:8443', 'digits alone'],
    ['xxxxxxxxxxxx', 'fewer than 4 different'],
    ['00000000-0000-0000-0000-000000000000', 'fewer than 4 different'],
  ])('%s is %s', (key, why) => {
    expect(refusing(key)).toThrow(why);
    expect(refusing(key)).not.toThrow(key);
  });

  test.each([
    ['a UUID', randomUUID()],
    ['hexadecimal digits', randomBytes(16).toString('hex')],
    ['digits, many', '73850912846501928374650192'],
    ['Base64', randomBytes(24).toString('base64')],
    ['a short one by chance', 'k7Qz-4Wm'],
    ['words', 'another-key-of-mine'],
  ])('%s raises nothing', (_, key) => {
    expect(refusing(key)).not.toThrow();
  });
});
