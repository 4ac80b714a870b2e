import fc from 'fast-check';

const words = (text: string) => text.trim().split(/\s+/);

/** Strings that are moments, nearly are, or look like other things that have their own class. */
export const TELLING_TEXTS = [
  ...['', ' ', 'True ', '\ufdd0', 'half \ud83d of a pair'],
  ...words('0 true FALSE 1.0 -3 007 1e3 12345678901234567890 null [1] {}'),
  ...words('1795182047250001 1795182047250000001 4102444800000000000'),
  ...words('1970-01-01T00:00:00Z 1970-01-01T01:00:00+01:00 1970-01-01T00:00:00.0001Z 1979-12-31T23:59:59Z'),
  ...['2020-03-09T14:07:5 Z', '2020-03-9 T14:07:53Z', '2020-03-09 14:07:53', '2020-03-09T14:07:53 +01'],
  ...words(`2020-03-09T14:07:53Z 2020-13-09T14:07:53Z 2020-02-30T00:00:00Z 2020-03-09T24:00:00Z
    2020-03-09T23:59:60Z 0000-01-01T00:00:00Z 0001-01-01T00:00:01Z 2020-03-09t14:07:53z
    2020-03-09T14:07:53.1230000Z 2020-03-09T14:07:53.1234567+01:00 2020-03-09T14:07:53,5Z
    2020-03-09T14:07Z 2020-03-09T14:07:53.1239 2020-03-09T02:30:00-0330`),
  ...words('2020-03-09 2020-02-30 2020-3-9'),
  ...words('0001-01-01T00:00:00Z 0001-01-01T00:00:00 0001-01-01 0001-01-01T00:00:00.000+01:00'),
  ...words('9999-12-31T23:59:59.9999999Z 9999-12-31T23:59:59-01:00'),
  ...['09.03.2020 14:07:53', '9.3.2020', '31.02.2020', '01.01.0001'],
  ...['3/9/2020 2:07:53 PM', '13/9/2020', '9/13/2020 12:00 AM', '9/13/2020 13:00 AM'],
  ...['1/1/0001 12:00:00 AM', '09/03/2020 14:07'],
  ...words('/Date(1583763000123+0100)/ /Date(-62135596800000)/ /Date(99999999999999999)/ /Date(x)/ /Data'),
  ...['Mon, 09 Mar 2020 14:07:53 GMT', 'Mon, 31 Feb 2020 14:07:53 GMT'],
  ...['Tue, 9 Mar 2020 14:07:53 +0130', 'Abc, def'],
  ...words('1583763000 1583763000123 946684799 0946684800 4102444800 01234'),
  '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  ...['2024-03-31T02:30:00', '2024-10-27 02:30:00', '10.03.2024 02:30:00'],
  ...['2024-04-07T01:45:00', '2024-11-03T01:30:00'],
];

/** Numbers at the edges of what each type holds. */
export const TELLING_NUMBERS = words(`
  0 -0 -0.0 0e5 1 -1 1.0 1.10 1e3 1E-3 1e400 -1e400 1e-400 5e-324 4.9e-324 0.1 0.30 9007199254740993
  1152921504606846976 9223372036854775807 9223372036854775808 -9223372036854775808 12345678901234567890
  99999999999999999999999999999.999999999 100000000000000000000000000000 0.1234567891
  1234567890123456789012345678901234567890.5 0.1234567890123456789012345678901234567890
  1e22 1e28 1e29 1.5e1
  946684799 946684800 1583763000 4102444799 4102444800
  946684799999 946684800000 1583763000123 4102444800000
  946684799999999 946684800000000 1795182047250001 4102444800000000
  946684799999999999 946684800000000000 1795182047250000000 1795182047250000001
  4102444799999999999 4102444800000000000
  1583763000.0 1583763000.5 1e99999999999
  123456789.123456789 1234567890.123456789 -0.000000001 179769313486231570000e289`);

const digits = (max: number) =>
  fc.array(fc.constantFrom(...'0123456789'), { minLength: 1, maxLength: max }).map((d) => d.join(''));

/** JSON numbers of all sizes, as written. */
export const numberToken: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TELLING_NUMBERS),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt({ min: -(10n ** 31n), max: 10n ** 31n }).map(String),
  fc
    .tuple(fc.constantFrom('', '-'), digits(32), digits(14), fc.constantFrom('', 'e1', 'E-3', 'e+12', 'e-12'))
    .map(([sign, whole, part, power]) => `${sign}${whole.replace(/^0+(?=\d)/, '')}.${part}${power}`),
);

const pad = (length: number, max: number, min = 0) =>
  fc.integer({ min, max }).map((number) => String(number).padStart(length, '0'));

/** Texts of the formats of moments, most of them valid. */
export const momentText: fc.Arbitrary<string> = fc
  .record({
    year: pad(4, 2037, 1971),
    month: pad(2, 13, 1),
    day: pad(2, 31, 1),
    hour: pad(2, 24),
    minute: pad(2, 59),
    second: pad(2, 60),
    fraction: fc.constantFrom('', '.5', '.123', '.1239', '.1234567', '.1230000'),
    zone: fc.constantFrom('Z', 'Z', 'z', '+01:00', '-0330', '+14', '', ''),
    form: fc.constantFrom('iso', 'iso', 'sql', 'day', 'german', 'slash', 'rfc', 'date'),
    half: fc.constantFrom('', ' AM', 'pm'),
  })
  .map(({ form, year, month, day, hour, minute, second, fraction, zone, half }) => {
    const iso = `${year}-${month}-${day}`;
    const clock = `${hour}:${minute}:${second}`;
    const texts = {
      iso: `${iso}T${clock}${fraction}${zone}`,
      sql: `${iso} ${clock}${fraction}`,
      day: iso,
      german: `${day}.${month}.${year} ${clock}`,
      slash: `${Number(month)}/${Number(day)}/${year} ${Number(hour)}:${minute}${half}`,
      rfc: `Mon, ${day} Mar ${year} ${clock} ${zone === 'z' ? 'GMT' : zone}`,
      date: `/Date(${Date.UTC(Number(year), Number(month), Number(day), Number(hour))}${zone.replace(/[Zz:]/g, '')})/`,
    };
    return texts[form as keyof typeof texts];
  });

/** Any text that JSON can hold. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TELLING_TEXTS),
  momentText,
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'0123456789-:./TZ +eE,'), minLength: 1, maxLength: 24 }),
);

/** A JSON value as it is in a body. */
export const anyToken: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: anyText.map((text) => JSON.stringify(text)), weight: 3 },
  { arbitrary: numberToken, weight: 2 },
  fc.constantFrom('null', 'true', 'false', '[]', '[1,"a"]', '{"a":null}', '{}'),
);
