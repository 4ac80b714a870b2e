import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor, redactText, secretForms } from '#lib/api/body/redact.ts';

function redacted(pieces: readonly Buffer[], secrets: readonly string[]): string {
  const redactor = createRedactor(secretForms(secrets));
  return Buffer.concat([...pieces.map((piece) => redactor.push(piece)), redactor.end()]).toString();
}

test('a secret is replaced wherever pieces cut it', () => {
  const secret = fc.stringMatching(/^[ab]{8,12}$/);
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

test('a secret is found as JSON and URLs write it', () => {
  const secret = 'k/e"y+4711';
  const body = `{"a":${JSON.stringify(secret)},"b":"k\\/e\\"y+4711","c":"?key=${encodeURIComponent(secret)}"}`;
  expect(redacted([Buffer.from(body)], [secret])).toBe('{"a":"[secret]","b":"[secret]","c":"?key=[secret]"}');
  expect(redactText(`Failed for ${secret}.`, [secret])).toBe('Failed for [secret].');
});

test('of two secrets that begin alike the longer one is replaced whole', () => {
  const pieces = ['key-12', '34', '-more key-1234.'].map((piece) => Buffer.from(piece));
  expect(redacted(pieces, ['key-1234', 'key-1234-more'])).toBe('[secret] [secret].');
});
