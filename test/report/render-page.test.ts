import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { renderPage } from '#lib/report/render-page.ts';
import { type ReportData, TILES } from '#lib/report/report-data.ts';

const HOSTILE = '</title></script><img src=x onerror="fetch(`//evil`)">&amp;';
const SCRIPT = 'const end = "</script>";';

function dataOf(name: string): ReportData {
  const ofTiles = <Value>(value: Value) =>
    Object.fromEntries(TILES.map((tile) => [tile, value])) as Record<(typeof TILES)[number], Value>;
  const rows = {
    ...{ title: name, note: name, query: name, notKnown: [], total: 1 },
    ...{ columns: [{ label: name, kind: 'text' as const }], rows: [[name]] },
  };
  return {
    ...{ language: null, name, timeZone: 'Europe/Berlin', runId: '20261121T030000Z', status: 'complete' },
    ...{ observedAt: null, oldFrom: null, generatedAt: '2026-11-21T03:00:00Z', newsList: null },
    ...{
      incomplete: [name],
      lagging: [],
      findings: [],
      muted: [],
      compared: null,
      groups: [],
      hours: null,
      stuck: 0,
      slots: { count: 0, used: 0, unknown: 0 },
      sources: [],
    },
    ...{ without: ofTiles([name]), asked: TILES, notKnown: ofTiles([]), views: [], leftOut: [] },
    ...{ news: { since: {}, players: null, kinds: [] }, playerUrls: {} },
    freshness: { ...rows, id: 'freshness' },
    comparison: { ...rows, id: 'comparison' },
    tables: [{ ...rows, id: 'players' }],
    trend: { dates: [], series: {}, sources: {} } as unknown as ReportData['trend'],
  };
}

const page = renderPage(dataOf(HOSTILE), { script: SCRIPT, style: 'p {}' });

it('its policy lets its one script run, by its hash, and nothing be asked for', () => {
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(page) ?? [];
  expect(script).toContain('const end =');
  const directives = Object.fromEntries(
    policy.split('; ').map((each) => [each.replace(/ .*/, ''), each.replace(/^\S+ /, '')]),
  );
  expect(directives).toEqual({
    'default-src': "'none'",
    'script-src': `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    'style-src': "'unsafe-inline'",
    'img-src': 'data:',
    'base-uri': "'none'",
    'form-action': "'none'",
  });
});

it('a name is text in its title, whatever it holds', () => {
  const [, title = ''] = /<title>(.*?)<\/title>/s.exec(page) ?? [];
  const read = title.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  expect(read).toBe(`${HOSTILE} – signage report`);
  expect(title).not.toMatch(/[<>"]/);
});

it('what an API says ends no script and begins no element', () => {
  // A text holds the end of a script only where one ends.
  expect(page.match(/<\/script/g)).toHaveLength(page.match(/<script/g)?.length ?? 0);
  expect(page).not.toContain('<img');
  const [, data = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page) ?? [];
  expect(JSON.parse(data)).toMatchObject({ name: HOSTILE, tables: [{ rows: [[HOSTILE]] }] });
});
