import type { ReportData } from '../report-data.ts';
import { chart } from './charts.ts';
import { dataTable, isGrouped } from './data-table.ts';
import { h, marked } from './dom.ts';
import { type Formats, localFormats } from './formats.ts';
import { type Choice, groupChoice } from './group-choice.ts';
import { attention, freshnessLine, newsCounts } from './overview.ts';
import { tiles } from './tiles.ts';
import { chartsOf, comparisonChart } from './trend-charts.ts';
import { verdict } from './verdict.ts';
import { languageOf, localeOf, translator } from './words.ts';

const data = JSON.parse(document.getElementById('data')?.textContent ?? 'null') as ReportData;
const locale = localeOf(data.language, navigator.language);
const language = languageOf(locale);
const formats = localFormats(locale, data.timeZone, translator(language));
document.documentElement.lang = language;
const { t } = formats;

const comparison = comparisonChart(data);
const sourceCharts = (comparison === undefined ? [] : [comparison]).map((spec) => chart(spec, formats));
let trendCharts = chartsOf(data).map((spec) => chart(spec, formats));
const drawAll = () => {
  for (const each of [...sourceCharts, ...trendCharts]) each.draw();
};

/** What follows the chosen group. Licences, storages and news belong to no group: they are grey meanwhile. */
const cut = { verdict: h('div'), tiles: h('div'), trends: h('div.charts'), lists: h('div') };
const CUT_TILES = ['players', 'screens', 'transfers'] as const;
/** The tables of the section on backup. */
const BACKUP = ['storages', 'slots', 'cost'];
const isOfBackup = ({ id }: { readonly id: string }) => BACKUP.includes(id);
function drawCut(choice: Choice | undefined): void {
  const shown = choice?.data ?? data;
  document.body.classList.toggle('is-cut', choice !== undefined);
  const said = h('p.verdict', verdict(shown, formats));
  if (choice !== undefined) said.prepend(`${choice.value ?? t('(none)')}: `);
  cut.verdict.replaceChildren(said);
  trendCharts = chartsOf(shown).map((spec) => chart(spec, formats));
  cut.tiles.replaceChildren(tiles(shown, formats, choice && { names: CUT_TILES, whole: data }));
  cut.trends.replaceChildren(...trendCharts.map(({ element }) => element));
  const lists = data.tables.filter(
    (table) => !isOfBackup(table) && (choice === undefined || isGrouped(table, choice.by)),
  );
  cut.lists.replaceChildren(
    ...lists.map((table) => dataTable(table, formats, { playerUrls: data.playerUrls, only: choice })),
  );
}
drawCut(undefined);
const backup = data.tables.filter(isOfBackup).map((table) => dataTable(table, formats));

function section(id: string, title: string, ...children: readonly (Node | null)[]): HTMLElement {
  const titleId = `${id}-title`;
  return h('section', { id, 'aria-labelledby': titleId }, h('h2', { id: titleId }, title), ...children);
}

/** A section that no choice of a group cuts: it is grey meanwhile, and says that it has all players. */
function wholeSection(id: string, title: string, ...children: readonly (Node | null)[]): HTMLElement {
  const element = section(id, title, ...children);
  element.classList.add('whole');
  element.querySelector('h2')?.after(h('p.note.of-all', t('Of all players.')));
  return element;
}

/** What is not known and the config can repair: each once, with its cure, which the tiles and lists leave out. */
function cures(): readonly string[] {
  const { newsList, tables } = data;
  const all = [
    ...Object.values(data.notKnown),
    ...[...tables, newsList].map((table) => table?.notKnown ?? []),
  ];
  const mendable = all.flat().filter(({ cure }) => cure !== undefined);
  return [...new Set(mendable.map(formats.sentence))];
}

function explanations(): HTMLElement {
  const { views, leftOut, generatedAt, runId } = data;
  const rules = [
    t(
      'Every figure comes from a view that anybody can ask: query NAME on the command line, or the same name in Athena.',
    ),
    t(
      'Expected: the API does not say otherwise. A box that is deleted, new or reserved, not installed or not licensed is not expected.',
    ),
    t('A source that no run called on a day counts as on its last day before.'),
  ];
  return h(
    'div.card',
    ...rules.map((rule) => h('p', rule)),
    h('ul.views', ...views.map(({ name, question }) => h('li', h('code', name), ` ${t(question)}`))),
    ...cures().map((said) => h('p.note', ...marked(said))),
    ...leftOut.map(({ name, missing }) =>
      h(
        'p.note',
        h('code', name),
        ` ${t('is left out here: it needs {what}.', { what: missing.map(formats.sentence).join(', ') })}`,
      ),
    ),
    h('p.note', t('Made {time} of run {runId}.', { time: formats.time(generatedAt), runId })),
  );
}

document.getElementById('report')?.replaceWith(
  h('a.skip', { href: '#attention' }, t('To what needs attention')),
  h(
    'header',
    h('div', h('h1', data.name), cut.verdict, freshnessLine(data, formats)),
    h(
      'div.actions',
      themeButton(formats, drawAll),
      h('button.quiet', { type: 'button', onclick: () => print() }, t('Print')),
    ),
  ),
  h(
    'nav',
    { 'aria-label': t('Sections') },
    ...[
      ['attention', t('Attention')],
      ['news', t('News')],
      ['trends', t('Trends')],
      ['sources', t('Sources')],
      ['lists', t('Lists')],
      ...(backup.length > 0 ? [['backup', t('Backup and cost')]] : []),
      ['freshness', t('Freshness')],
      ['about', t('About the figures')],
    ].map(([id, title]) => h('a', { href: `#${id}` }, title)),
  ),
  h(
    'main',
    groupChoice(data, formats, (choice) => {
      drawCut(choice);
      drawAll();
    }),
    cut.tiles,
    wholeSection('attention', t('Needs attention'), attention(data, formats)),
    wholeSection(
      'news',
      t('News'),
      newsCounts(data, formats),
      data.newsList === null || data.news.since['1'] === undefined ? null : dataTable(data.newsList, formats),
    ),
    section('trends', t('Trends'), cut.trends),
    wholeSection(
      'sources',
      t('Sources'),
      ...sourceCharts.map(({ element }) => element),
      dataTable(data.comparison, formats),
    ),
    section('lists', t('Lists'), cut.lists),
    ...(backup.length > 0 ? [wholeSection('backup', t('Backup and cost'), ...backup)] : []),
    dataTable(data.freshness, formats, { heading: 'h2' }),
    section('about', t('About the figures'), explanations()),
  ),
);
drawAll();

// Paper is white, so print has its own colours for charts.
addEventListener('beforeprint', () => {
  document.documentElement.classList.add('printing');
  for (const muted of document.querySelectorAll<HTMLDetailsElement>('details.muted')) muted.open = true;
  drawAll();
});
addEventListener('afterprint', () => {
  document.documentElement.classList.remove('printing');
  drawAll();
});

const KEY = 'signage-report-theme';
type Theme = 'light' | 'dark';

/** The present theme: the reader's choice on this page, otherwise the system's. */
function currentTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** A button that changes the theme, and remembers it if the browser lets a file remember. */
function themeButton({ t }: Formats, onChange: () => void): HTMLElement {
  const remembered = remember();
  if (remembered !== null) document.documentElement.dataset['theme'] = remembered;
  const label = () => (currentTheme() === 'dark' ? t('Light theme') : t('Dark theme'));
  const button = h('button.quiet', { type: 'button', id: 'theme' }, label());
  const changed = () => {
    button.textContent = label();
    onChange();
  };
  button.addEventListener('click', () => {
    const next = currentTheme() === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = next;
    remember(next);
    changed();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  return button;
}

function remember(theme?: Theme): string | null {
  try {
    if (theme !== undefined) localStorage.setItem(KEY, theme);
    return localStorage.getItem(KEY);
  } catch {
    return theme ?? null;
  }
}
