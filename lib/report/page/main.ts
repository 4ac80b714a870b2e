import type { ReportData } from '../report-data.ts';
import { chart } from './charts.ts';
import { dataTable } from './data-table.ts';
import { h } from './dom.ts';
import { localFormats } from './formats.ts';
import { attention, freshnessLine, keyFigures } from './overview.ts';
import { themeButton } from './theme.ts';
import { chartsOf, comparisonChart } from './trend-charts.ts';

const data = JSON.parse(document.getElementById('data')?.textContent ?? 'null') as ReportData;
const formats = localFormats(navigator.language, data.timeZone);

const comparison = comparisonChart(data);
const sourceCharts = (comparison === undefined ? [] : [comparison]).map((spec) => chart(spec, formats));
const trendCharts = chartsOf(data).map((spec) => chart(spec, formats));
const charts = [...sourceCharts, ...trendCharts];
const drawAll = () => {
  for (const each of charts) each.draw();
};

function section(id: string, title: string, ...children: readonly (Node | null)[]): HTMLElement {
  return h(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, title),
    ...children,
  );
}

function explanations(): HTMLElement {
  const { views, leftOut, generatedAt, runId } = data;
  return h(
    'div',
    { class: 'card' },
    h(
      'p',
      {},
      'Every figure comes from a view that anybody can ask: query NAME on the command line, or the same name in Athena.',
    ),
    h(
      'ul',
      { class: 'views' },
      ...views.map(({ name, question }) => h('li', {}, h('code', {}, name), ` ${question}`)),
    ),
    ...leftOut.map(({ name, missing }) =>
      h('p', { class: 'note' }, h('code', {}, name), ` is left out here: it needs ${missing.join(', ')}.`),
    ),
    h('p', { class: 'note' }, `Made ${formats.time(generatedAt)} of run ${runId}.`),
  );
}

document.getElementById('report')?.replaceWith(
  h('a', { class: 'skip', href: '#attention' }, 'To what needs attention'),
  h(
    'header',
    {},
    h('div', {}, h('h1', {}, data.name), freshnessLine(data, formats)),
    h(
      'div',
      { class: 'actions' },
      themeButton(drawAll),
      h('button', { type: 'button', class: 'quiet', onclick: () => print() }, 'Print'),
    ),
  ),
  h(
    'nav',
    { 'aria-label': 'Sections' },
    ...[
      ['attention', 'Attention'],
      ['trends', 'Trends'],
      ['sources', 'Sources'],
      ['lists', 'Lists'],
      ['about', 'About the figures'],
    ].map(([id, title]) => h('a', { href: `#${id}` }, title)),
  ),
  h(
    'main',
    {},
    dataTable(data.freshness, formats, 'h2'),
    section('attention', 'Needs attention', attention(data.findings, formats)),
    section(
      'trends',
      'Trends',
      keyFigures(data, formats),
      h('div', { class: 'charts' }, ...trendCharts.map(({ element }) => element)),
    ),
    section(
      'sources',
      'Sources',
      ...sourceCharts.map(({ element }) => element),
      dataTable(data.comparison, formats),
    ),
    section('lists', 'Lists', ...data.tables.map((table) => dataTable(table, formats))),
    section('about', 'About the figures', explanations()),
  ),
);
drawAll();

// Paper is white: charts are drawn in its colours while the browser prints.
addEventListener('beforeprint', () => {
  document.documentElement.classList.add('printing');
  drawAll();
});
addEventListener('afterprint', () => {
  document.documentElement.classList.remove('printing');
  drawAll();
});
