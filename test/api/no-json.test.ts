import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayNeedMending, mend } from '#lib/api/body/mend.ts';
import { parseExact } from '#lib/api/body/parse.ts';
import { NO_NUMBER_MARK } from '#lib/lake/raw/marks.ts';
import { bodyOf } from './support/body-of.ts';
import { fetchFrom, json, serve } from './support/serve.ts';

/** What the message says of a body that is not JSON, after the address. */
async function saidOf(text: string, pieceBytes: number): Promise<string> {
  const thrown: unknown = await bodyOf(text, { pieceBytes }).catch((error: unknown) => error);
  return thrown instanceof Error ? thrown.message : 'JSON';
}

const many = Array.from({ length: 900 }, (_, Id) => ({ Id, Name: 'ü'.repeat(60) }));
const long = JSON.stringify({ players: many });

describe('what is no JSON is told by path, place and token', () => {
  const BODIES: ReadonlyArray<readonly [text: string, place: string]> = [
    ['{"players":[{"Id":1},{"Id":2,"Latitude":nan}]}', 'at players[1].Latitude (byte 40) stands nan'],
    ['[1,]', 'at [1] (byte 3) stands ]'],
    ['[1,,2]', 'at [1] (byte 3) stands ,'],
    ['{"a":1,}', 'at a (byte 7) stands }'],
    ['{"a b":[{"c":+1}]}', 'at ["a b"][0].c (byte 13) stands +1'],
    ['{"ü":None}', 'at ["ü"] (byte 6) stands None'],
    ['[{"a":"secret of a record" "b"}]', 'at [0].a (byte 27) stands a text that JSON does not have there'],
    ['[{"a":"x\ny"}]', 'at [0].a (byte 6) stands a text that JSON does not have there'],
    ['[\n1,\n01]', 'at [1] (byte 6, line 3) stands 1'],
    ['[{"a":1]', 'at [0].a (byte 7) stands ]'],
    ['OK', 'at its beginning (byte 0) stands OK'],
    ['[undefinedundefinedundefined]', 'at [0] (byte 1) stands undefinedundefinedun…'],
    [`${long.slice(0, -1)} 1}`, `at players (byte ${Buffer.byteLength(long)}) stands 1`],
  ];
  test.each(BODIES)('%#: %s', async (text, place) => {
    for (const pieceBytes of [1, 7, 65_536])
      expect(await saidOf(text, pieceBytes)).toBe(`the body is not JSON: ${place}`);
  });

  test('inside a record of a body that is read in slices', async () => {
    const body = JSON.stringify(many).replace('"Id":700,', '"Id":700,,');
    await using server = await serve((_request, response) => json(response, body));
    const at = Buffer.from(body).indexOf('"Id":700,') + 9;
    const { end } = await fetchFrom(server.url, 'players');
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'BODY_NOT_JSON' });
    expect(end.message).toContain(`at [700].Id (byte ${at}) stands ,`);
  });

  test('wherever one sign too many stands in JSON', async () => {
    const isJson = (text: string) => {
      try {
        return [JSON.parse(text)].length > 0;
      } catch {
        return false;
      }
    };
    const fault = /^the body is not JSON: at .+ \(byte \d+\) stands |^the JSON body is cut off/;
    const signs = fc.constantFrom(',', ':', ']', '}');
    const property = fc.asyncProperty(fc.json(), fc.nat(), signs, async (text, place, sign) => {
      const at = place % (text.length + 1);
      const broken = `[${text.slice(0, at)}${sign}${text.slice(at)}]`;
      expect(await saidOf(broken, 65_536)).toMatch(isJson(broken) ? /^JSON$/ : fault);
    });
    await fc.assert(property);
  });
});

describe('NaN, Infinity and -Infinity', () => {
  test('are null, and stand behind a mark where DuckDB reads them', async () => {
    const text = '[{"a":NaN,"b":"NaN, -Infinity","c":[-Infinity, Infinity],"d":12345678901234567890}]';
    const nulls = { a: null, b: 'NaN, -Infinity', c: [null, null], d: '12345678901234567890' };
    expect(parseExact(text)).toEqual([nulls]);
    expect(mayNeedMending(text)).toBe(true);
    const marked = (word: string) => `${NO_NUMBER_MARK}${word}`;
    expect(JSON.parse(mend(text) ?? '')).toMatchObject([
      { a: marked('NaN'), b: 'NaN, -Infinity', c: [marked('-Infinity'), marked('Infinity')] },
    ]);
    expect(() => parseExact('[NaN,]')).toThrow(SyntaxError);
    const [total] = (await bodyOf('{"total":NaN,"data":[]}')).scan.container?.members ?? [];
    expect(total).toMatchObject({ name: 'total', kind: 'null', text: 'null' });
  });

  test.each(['players', 'screens'] as const)('cost no record of %s', async (name) => {
    const body = JSON.stringify(many).replaceAll('"Id":7', '"Latitude":NaN,"Id":7');
    await using server = await serve((_request, response) => json(response, body));
    const { end, records, rows } = await fetchFrom(server.url, name);
    expect(end).toMatchObject({ outcome: 'ok', items: 900, message: null });
    expect(records[7]).toEqual({ ...many[7], Latitude: null });
    expect(rows.map((row) => row.body?.toString()).join('')).toBe(body);
  });
});
