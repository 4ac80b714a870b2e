import fc from 'fast-check';
import { type FixtureLab, fixtureLab, SIGNAGE } from '../../support/fixture-lab.ts';
import { timeOf } from './export-days.ts';
import { lostValues } from './lost-values.ts';

/** A number token that JSON.stringify puts into the text as it stands. */
function token(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}

const KEYS = [
  'Id',
  'id',
  'Type',
  'a',
  'A',
  'a.b',
  'a_b',
  '',
  ' ',
  '1st',
  'Größe',
  'order by',
  'x"y',
  "it's; --",
  '~/',
  '$key',
  '$',
  '__proto__',
  'constructor',
  'record_key',
  'export_date',
  'At',
];
const TOKENS = [
  '1e400',
  '-0.0',
  '0.1E1',
  '1.50',
  '9007199254740993',
  '-9223372036854775809',
  '123456789012345678901234567890.123456789012',
  '1700000000',
  '1e-400',
];
const TEXTS = [
  '',
  ' ',
  '00123',
  'true',
  'FALSE',
  'null',
  '2026-11-20T03:00:00Z',
  '2026-11-20T03:00:00.1234567+01:00',
  '0001-01-01T00:00:00Z',
  '20.11.2026 03:00:00',
  '/Date(1700000000000+0100)/',
  '\ud83d',
  'a\u0000b',
  '\ufdd01',
  '=1+1',
  '"',
  "'",
  '\\',
];

const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 12 }));
const key = fc.oneof(
  { arbitrary: fc.constantFrom(...KEYS), weight: 4 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 6 }), weight: 1 },
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom(...TOKENS).map(token),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map(objectOf),
  ),
}));
const record = fc.array(fc.tuple(key, value), { maxLength: 8 }).map(objectOf);

/** `__proto__` is a key like any other. */
function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  const object = {};
  for (const [name, inner] of entries)
    Object.defineProperty(object, name, {
      value: inner,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return object;
}

/** Two days of a listing of whatever records JSON can say. */
export const listings = fc.array(fc.array(record, { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 2,
});

/** What of the records is neither in its cell nor in rejects, after each was exported as a listing of its day. */
export async function lostInRoundTrip(days: readonly (readonly object[])[]): Promise<readonly string[]> {
  await using lab: FixtureLab = await fixtureLab({});
  const lost: string[] = [];
  for (const [day, records] of days.entries()) {
    const texts = records.map((each) => JSON.stringify(each));
    const { sources } = await lab.run(timeOf(day), {
      [`${SIGNAGE}/Licenses`]: { body: `[${texts.join(',')}]` },
    });
    const [source] = sources;
    if (source?.status !== 'complete')
      lost.push(`day ${day} is ${source?.status}: ${source?.error?.message}`);
    const served = texts.map((each) => ({ parentId: null, text: each }));
    const date = timeOf(day).slice(0, 10);
    lost.push(...(await lostValues({ ...lab, resource: 'licenses', source: 'berlin', served, date })));
  }
  return lost;
}
