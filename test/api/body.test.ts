import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MEMORY_BYTES } from '#lib/api/body/body.ts';
import { createSecretFinder } from '#lib/api/body/secret-finder.ts';
import { RECORD_VALUES } from '#lib/api/limits.ts';
import { inPieces } from '#lib/api/page-answer.ts';
import { bodyOf } from './support/body-of.ts';

describe('charset', () => {
  test.each([
    ['application/json', Buffer.from('["grün 😀"]')],
    ['application/json; charset=utf-8', Buffer.from('["grün 😀"]')],
    ['text/html; charset="UTF-8"', Buffer.from('["grün 😀"]')],
    ['application/json; charset=iso-8859-1', Buffer.from('["grün"]', 'latin1')],
    ['application/json; charset=utf-16le', Buffer.from('["grün 😀"]', 'utf16le')],
    ['application/json; charset=us-ascii', Buffer.from('["grün"]')],
    ['application/json; charset=no-such', Buffer.from('["grün"]')],
  ])('%s', async (contentType, bytes) => {
    for (const pieceBytes of [1, 2, 3, 100]) {
      const body = await bodyOf(bytes, { contentType, pieceBytes });
      expect(body.read(0, body.bytes).toString()).toMatch(/^\["grün( 😀)?"\]$/);
      expect(body.json).toMatchObject([expect.stringMatching(/^grün/)]);
    }
  });

  const BROKEN = ['["\xff"]', '["gr\xfcn"]', '["\xe2\x82"]', '["\xed\xa0\x80"]', '["a\xf0\x9f'];
  test.each(BROKEN)('bytes that are no UTF-8: %j', async (text) => {
    const code = expect.stringMatching(/^BODY_NOT_TEXT$|^BODY_TRUNCATED$/);
    for (const pieceBytes of [1, 3, 100])
      await expect(bodyOf(Buffer.from(text, 'latin1'), { pieceBytes })).rejects.toMatchObject({ code });
  });
});

test('secrets are replaced before anything is kept', async () => {
  const secrets = createSecretFinder(['abcdefgh12345']);
  const body = await bodyOf('[{"key":"abcdefgh12345"}]', { secrets, pieceBytes: 5 });
  expect(body.read(0, body.bytes).toString()).toBe('[{"key":"[secret]"}]');
  expect(body.json).toEqual([{ key: '[secret]' }]);
});

test('a body beyond the bound is refused', async () => {
  await expect(bodyOf('[1,2,3]', { maxBytes: 6 })).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' });
  expect((await bodyOf('[1,2,3]', { maxBytes: 7 })).bytes).toBe(7);
});

test('a record may have as many bytes as are allowed, and not one more', async () => {
  const body = inPieces(await bodyOf('[1,2,3]'), 6);
  expect(body.read(0, 6)).toHaveLength(6);
  expect(() => body.read(0, 7)).toThrow(expect.objectContaining({ code: 'RECORD_TOO_LARGE' }));
});

test('a record may have as many values as are allowed, and not one more', async () => {
  const body = await bodyOf('[]');
  const read = (values: number) => {
    const bytes = Buffer.from(`[${'0,'.repeat(values - 1)}0]`);
    return inPieces({ ...body, read: () => bytes }, bytes.length).read(0, bytes.length).length;
  };
  expect(read(RECORD_VALUES)).toBe(2 * RECORD_VALUES + 1);
  expect(() => read(RECORD_VALUES + 1)).toThrow(expect.objectContaining({ code: 'RECORD_TOO_LARGE' }));
  body.close();
});

describe('records that are cut off, wherever it is', () => {
  const LISTING = fc
    .array(fc.dictionary(fc.string(), fc.jsonValue({ stringUnit: 'grapheme-ascii' })), { minLength: 1 })
    .map((records) => JSON.stringify(records));

  test('may come whole the next time', async () => {
    await fc.assert(
      fc.asyncProperty(LISTING, fc.double({ min: 0, max: 0.999, noNaN: true }), async (text, part) => {
        const cut = text.slice(0, 1 + Math.floor(part * (text.length - 1)));
        await expect(bodyOf(cut)).rejects.toMatchObject({ code: 'BODY_TRUNCATED' });
      }),
    );
  });

  test('are written so each time where a record is closed as a list', async () => {
    await fc.assert(
      fc.asyncProperty(LISTING, fc.nat(), async (text, more) => {
        const end = text.lastIndexOf('}');
        const wrong = `${text.slice(0, end)}]${text.slice(end + 1, end + 1 + (more % 2))}`;
        await expect(bodyOf(wrong)).rejects.toMatchObject({ code: 'BODY_NOT_JSON' });
      }),
    );
  });
});

describe('a body of more than 1 MiB', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'spool-test-'));
    vi.stubEnv('TMPDIR', folder);
  });
  afterEach(() => vi.unstubAllEnvs());

  test('is read back from a file that has no name', async () => {
    const records = Array.from({ length: 20 }, (_, id) => ({ id, text: `${id}`.padEnd(1_000_000, 'ä') }));
    const bytes = Buffer.from(JSON.stringify(records));
    const body = await bodyOf(bytes);
    expect(body.bytes).toBeGreaterThan(MEMORY_BYTES);
    expect(readdirSync(folder)).toEqual([]);
    for (const [from, length] of Object.entries({ 0: 10, [bytes.length - 10]: 10, 12345678: 2_000_000 })) {
      const [start, end] = [Number(from), Number(from) + length];
      expect(body.read(start, end).equals(bytes.subarray(start, end))).toBe(true);
    }
    body.close();
    body.close();
  });

  test('fails as SPOOL_FAILED where there is no place for it', async () => {
    vi.stubEnv('TMPDIR', join(folder, 'missing'));
    await expect(bodyOf(`["${'x'.repeat(MEMORY_BYTES)}"]`)).rejects.toMatchObject({ code: 'SPOOL_FAILED' });
  });
});
