import fc from 'fast-check';
import { type FixtureLab, fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';
import { timeOf } from './export-days.ts';
import { lostValues } from './lost-values.ts';

/** A number token that JSON.stringify puts into the text as it is. */
function token(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}

const KEYS = [
  ...[
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
  ],
  ...['$key', '$', '__proto__', 'constructor', 'record_key', 'export_date', 'At'],
];
const TOKENS =
  '1e400 -0.0 0.1E1 1.50 9007199254740993 -9223372036854775809 123456789012345678901234567890.123456789012 1700000000 1e-400'.split(
    ' ',
  );
const TEXTS = [
  ...['', ' ', '00123', 'true', 'FALSE', 'null', '2026-11-20T03:00:00Z', '2026-11-20T03:00:00.1234567+01:00'],
  ...['0001-01-01T00:00:00Z', '20.11.2026 03:00:00', '/Date(1700000000000+0100)/'],
  ...['\ud83d', 'a\u0000b', '\ufdd01', '=1+1', '"', "'", '\\'],
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
/** An entry that shares nothing with the others and lacks an id is an error, and one of lists alone is asked about. */
const SHARED = ['shared', 1] as const;
const record = fc
  .array(fc.tuple(key, value), { maxLength: 8 })
  .map((members) => objectOf([SHARED, ...members]));

/** `__proto__` is a key like any other. */
function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  const object = {};
  const open = { enumerable: true, configurable: true, writable: true };
  for (const [name, inner] of entries) Object.defineProperty(object, name, { ...open, value: inner });
  return object;
}

/** The listings of which one run takes all: what a run costs by itself is most of what it costs. */
const LISTINGS = [
  { resource: 'app_groups', source: 'berlin', path: `${SIGNAGE}/AppGroups` },
  { resource: 'licenses', source: 'berlin', path: `${SIGNAGE}/Licenses` },
  { resource: 'backup_pricing', source: 'vault', path: '/1/backup/pricing' },
] as const;

type Records = readonly object[];

/** One or two days of each listing, of whatever records JSON can say. */
export const listings: fc.Arbitrary<readonly (readonly Records[])[]> = fc
  .integer({ min: 1, max: 2 })
  .chain((days) => {
    const records = fc.array(record, { minLength: 1, maxLength: 6 });
    const day = fc.array(records, { minLength: LISTINGS.length, maxLength: LISTINGS.length });
    return fc.array(day, { minLength: days, maxLength: days });
  });

/** Values of the records, each exported in a listing of its day, that are neither in their cells nor in rejects. */
export async function lostInRoundTrip(days: readonly (readonly Records[])[]): Promise<readonly string[]> {
  // Listings of any length follow one another.
  await using lab: FixtureLab = await fixtureLab({}, { config: { maxShrink: 1 } });
  const lost: string[] = [];
  for (const [day, listed] of days.entries()) {
    const texts = listed.map((records) => records.map((each) => JSON.stringify(each)));
    const bodies = LISTINGS.map(({ path }, index) => [path, { body: `[${texts[index]?.join(',')}]` }]);
    const { sources } = await lab.run(timeOf(day), Object.fromEntries(bodies));
    // Records that lost the field that told them apart are held, and named by an error.
    const lostKeys = await lab.rows("select resource from outcomes where error_code = 'SHAPE_CHANGED'");
    const isHeld = (resource: string) => lostKeys.some((row) => row.resource === resource);
    for (const { name, status, error } of sources)
      if (status !== 'complete' && error?.code !== 'SHAPE_CHANGED')
        lost.push(`${name} is ${status} on day ${day}: ${error?.message}`);
    const date = timeOf(day).slice(0, 10);
    for (const [index, { resource, source }] of LISTINGS.entries()) {
      if (isHeld(resource)) continue;
      const served = (texts[index] ?? []).map((text) => ({ parentId: null, text }));
      lost.push(...(await lostValues({ ...lab, resource, source, served, date })));
    }
  }
  return lost;
}
