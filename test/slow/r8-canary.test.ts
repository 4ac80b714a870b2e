import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { addCheck } from '#cli/check.ts';
import { describeRun } from '#cli/print-run.ts';
import { addQuery } from '#cli/query.ts';
import { addReport } from '#cli/report.ts';
import { addStatus } from '#cli/status.ts';
import { collectReport } from '#lib/report/collect-report.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { cli } from '../cli/support.ts';
import { readZip } from '../report/zip.ts';
import { drawn } from '../support/drawn.ts';
import { everythingIn } from '../support/everything-in.ts';
import { type FixtureLab, fixtureLab, type Routes, SIGNAGE } from '../support/fixture-lab.ts';
import { decodings, SPELLINGS } from '../support/secret-spellings.ts';

/** Of 20 characters at least: a shorter one may stand in data by chance. */
const UUID = '3F2504E0-4f89-11d3-9a0c-0305e82c3301';
const KEYS = ['k+4/Zq=9"x\\y&1<2\'z~Q', UUID, 'gf_live_0123456789abcdefABCDEF'];

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

/** What is said on stdout and stderr from now on, logs among it. */
function heard(): Disposable & { readonly texts: readonly string[] } {
  const texts: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => texts.push(String(text)) > 0),
  );
  return {
    texts,
    [Symbol.dispose]: () => {
      for (const spy of spies) spy.mockRestore();
    },
  };
}

/** Has commands say what they know, and gives what they write into files. */
async function pagesOf(lab: FixtureLab, key: string, summary: RunSummary): Promise<readonly string[]> {
  const file = (name: string) => join(lab.folder, name);
  await writeFile(file('config.json'), lab.written.text);
  const secrets = { 'lab/berlin': { apiKey: key }, 'lab/vault': { accessToken: 'fixture-token' } };
  await writeFile(file('secrets.json'), JSON.stringify(secrets), { mode: 0o600 });
  const of = ['--config', file('config.json'), '--lake', file('lake'), '--secrets', file('secrets.json')];
  try {
    await cli(addStatus, 'status', ...of);
    await cli(addStatus, 'status', '--json', ...of);
    await cli(addCheck, 'check', ...of);
    for (const table of ['players', 'rejects', 'outcomes', 'changes']) {
      await cli(addQuery, 'query', `select * from ${table}`, ...of);
    }
    await cli(addReport, 'report', ...of, '--xlsx', file('report.xlsx'));
  } finally {
    process.exitCode = undefined;
  }
  const sheets = readZip(await readFile(file('report.xlsx'))).values();
  using tables = await openTables(lab.lake);
  // The page of `report` is made of this and of its own script, which takes long to bundle.
  const report = await collectReport(tables, lab.config, new Date('2026-11-20T06:00:00Z'));
  return [JSON.stringify(report), ...sheets, ...describeRun(summary, { lake: 'lake' })];
}

describe('R8: a key that an answer echoes is stored nowhere, in no spelling of programs in use', () => {
  // Each spelling meets one of the keys in turn; test/api/redact.test.ts has every key in every spelling.
  it.each(drawn(KEYS))('%s', async (key) => {
    const isOfKey = (index: number) => KEYS[index % KEYS.length] === key;
    const spellings = Object.values(SPELLINGS).filter((_, index) => isOfKey(index));
    const written = spellings.map((spell) => spell(key)).join(' | ');
    await using lab = await fixtureLab(echoes(written), {}, undefined, key);
    using said = heard();
    const summary = await lab.run('2026-11-20T03:00:00Z');
    const pages = await pagesOf(lab, key, summary);
    const lake = await everythingIn(join(lab.folder, 'lake'));
    expect(said.texts.length).toBeGreaterThan(5);
    const texts = [...lake, ...said.texts, ...pages, JSON.stringify(summary)];
    expect(texts.length).toBeGreaterThan(60);
    expect(texts.some((text) => text.includes('[secret]'))).toBe(true);
    const hasKey = (text: string) => text.toLowerCase().includes(key.toLowerCase());
    const leaks = texts.filter((text) => decodings(text).some(hasKey));
    expect(leaks.map((text) => text.slice(0, 200))).toEqual([]);
  });
});

describe('a short key that stands in data', () => {
  const PLAIN = 'Players1x';
  it.each([
    [`"Next":"${PLAIN}2"`, { next: '[secret]2' }],
    [`"Next":"/a?k=${PLAIN}","sessionId":"${PLAIN}"`, { next: '/a?k=[secret]', session_id: '[secret]' }],
  ])('is replaced, within a longer word too, and counted in rejects: %s', async (members, told) => {
    const routes = { [`${SIGNAGE}/Players`]: { body: `[{"Id":1,${members}}]` } };
    await using lab = await fixtureLab(routes, { backup: null }, undefined, PLAIN);
    expect(await lab.run('2026-11-20T03:00:00Z')).toMatchObject({ status: 'complete' });
    const rejects = 'select column_name, raw_value, reason, "count"::integer from rejects order by 1';
    const due = Object.entries(told).flatMap((entry) => [...entry, 'secret', 1]);
    expect(await lab.flat(rejects)).toEqual(due);
    expect(await lab.rows(`select ${Object.keys(told)} from players`)).toEqual([told]);
  });
});
