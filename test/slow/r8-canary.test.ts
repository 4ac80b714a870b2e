import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everythingIn } from '../support/everything-in.ts';
import { fixtureLab, type Routes, SIGNAGE } from '../support/fixture-lab.ts';
import { decodings, SPELLINGS } from '../support/secret-spellings.ts';

const KEYS = [
  'k+4/Zq=9"x\\y&1<2\'z',
  '3F2504E0-4f89-11d3-9a0c-0305e82c3301',
  'gf_live_0123456789abcdefABCDEF',
];

/** An answer that has the key in this spelling in every place where an answer can have it. */
function echoes(written: string): Routes {
  const listing = (word: string, more = '') =>
    `[{"Id":1,"Name":"${written}","${written}":"a name","Nested":{"Deep":["${written}"]},"N":${'1'},"After":"${written}"${more}},` +
    `{"Id":2,"Name":"${word}","Twice":"${written}","Twice":"${written} ","Date":"${written}","N":"${written}"}]`;
  const headers = {
    'content-type': 'application/json',
    'x-request-id': asHeader(written),
    link: `</gv2?x=${asHeader(written)}>; rel="prev"`,
  };
  const refusal = { headers, body: `{"Message":"${written}","Error":{"Code":"${written}"}}` };
  return {
    [`${SIGNAGE}/Players`]: { headers, body: listing('players') },
    [`${SIGNAGE}/AppGroups`]: { headers, body: `{"Items":${listing('groups')},"${written}":"${written}"}` },
    [`${SIGNAGE}/Licenses`]: { ...refusal, status: 403 },
    [`${SIGNAGE}/Players/1/Screens`]: { headers, body: `{"result":"error","message":"${written}"}` },
    [`${SIGNAGE}/Players/2/Screens`]: { headers, body: `[{"Id":7,"LastStatusChange":"${written}"}]` },
    [`${SIGNAGE}/Players/1/PendingFileTransfers`]: { ...refusal, status: 400 },
    [`${SIGNAGE}/Players/2/PendingFileTransfers`]: { headers, body: `<html>${written}</html>` },
  };
}

/** Headers carry no line breaks, and Node writes none beyond Latin-1. */
function asHeader(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '');
}

describe('R8: a key that an answer echoes is stored nowhere, in no spelling', () => {
  // Each spelling meets one of the keys in turn; test/api/redact.test.ts has every key in every spelling.
  const cases = Object.keys(SPELLINGS).map((name, index) => [name, KEYS[index % KEYS.length] ?? ''] as const);
  it.each(cases)('%s: %s', { timeout: 60_000 }, async (name, key) => {
    const written = SPELLINGS[name]?.(key) ?? key;
    await using lab = await fixtureLab(echoes(written), {}, undefined, key);
    const summary = await lab.run('2026-11-20T03:00:00Z');
    const texts = [...(await everythingIn(join(lab.folder, 'lake'))), JSON.stringify(summary)];
    expect(texts.length).toBeGreaterThan(60);
    expect(texts.some((text) => text.includes('[secret]'))).toBe(true);
    const leaks = texts.filter((text) =>
      decodings(text).some((each) => each.toLowerCase().includes(key.toLowerCase())),
    );
    expect(leaks.map((text) => text.slice(0, 200))).toEqual([]);
  });
});
