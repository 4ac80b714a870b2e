import type { Cell, CellKind, ReportColumn, ReportTable } from '../report-data.ts';
import { csvOf } from './csv.ts';
import { h, scrolling } from './dom.ts';
import { matching, type Row, searchTexts, sorted } from './find-rows.ts';
import type { Formats } from './formats.ts';
import { PAGE_ROWS, sayNone, sayRows } from './say-rows.ts';

const FIGURES: ReadonlySet<CellKind> = new Set([
  ...['number', 'share', 'bytes', 'hours', 'days', 'money', 'shareError', 'hoursError'],
] as const);
/** Shorter tables need no filter. */
const FILTER_FROM = 6;

export interface TableOptions {
  readonly heading?: 'h2' | 'h3';
  /** By source: the address of a player, with `{id}`. */
  readonly playerUrls?: Readonly<Record<string, string>>;
  /** Only the rows of one value of a group; undefined = all. */
  readonly only?: { readonly by: string; readonly value: string | null } | undefined;
}

/** Whether its rows belong to values of the group. */
export function isGrouped({ columns }: ReportTable, by: string): boolean {
  return columns.some(({ group }) => group === by);
}

/**
 * A table that sorts by its heads, filters by typed words and downloads as CSV. Screen readers hear what it does. A long
 * one ends, and says which query has all.
 */
export function dataTable(table: ReportTable, formats: Formats, options: TableOptions = {}): HTMLElement {
  const { heading = 'h3', playerUrls = {}, only } = options;
  const { t } = formats;
  const title = t(table.title);
  let sorting: { readonly by: number; readonly descending: boolean } | undefined;
  let shown = PAGE_ROWS;
  const base = rowsOf(table, only);
  let texts: ReturnType<typeof searchTexts> | undefined;
  let found = base;
  const body = h('tbody');
  const said = h('p.said', { role: 'status' });
  const showMore = () => {
    shown += PAGE_ROWS * 4;
    draw();
  };
  const more = h('button.quiet.more', { type: 'button', onclick: showMore }, t('Show more'));
  const save = () => saveFile(`${table.id}.csv`, csvOf(table, found, t));
  const label = t('Download {title} as CSV', { title });
  const download = h('button.quiet', { type: 'button', 'aria-label': label, onclick: save }, 'CSV');
  const foot = h('div.card-foot', said, h('span.actions', more, download));
  const shownColumns = table.columns.flatMap((column, index) =>
    column.place === 'key' ? [] : [{ column, index }],
  );
  const heads = shownColumns.map(({ column, index }) => headCell(column, formats, () => sortBy(index)));

  const draw = () => {
    if (filter.value !== '') texts ??= searchTexts(table, t);
    found = texts === undefined ? base : matching(filter.value, texts, base);
    if (sorting !== undefined) found = sorted(found, { ...sorting, locale: formats.locale });
    const drawn = { table, formats, playerUrls };
    body.replaceChildren(...found.slice(0, shown).map((row) => rowOf(drawn, row)));
    if (found.length === 0) {
      const none = sayNone(table, filter.value, formats);
      body.append(h('tr', h('td.none', { colspan: shownColumns.length }, none)));
    }
    more.hidden = found.length <= shown;
    download.hidden = table.rows.length === 0;
    const of = only === undefined ? undefined : base.length;
    said.textContent = sayRows(table, { of, found: found.length, shown, formats });
    foot.hidden = said.textContent === '' && more.hidden && download.hidden;
    for (const [place, head] of heads.entries()) {
      const order = sorting?.descending === true ? 'descending' : 'ascending';
      if (shownColumns[place]?.index === sorting?.by) head.setAttribute('aria-sort', order);
      else head.removeAttribute('aria-sort');
    }
  };
  const sortBy = (index: number) => {
    const figures = FIGURES.has(table.columns[index]?.kind ?? 'text');
    sorting = { by: index, descending: sorting?.by === index ? !sorting.descending : figures };
    draw();
  };
  const filter = h('input', {
    type: 'search',
    'aria-label': t('Filter {title}', { title }),
    placeholder: t('Filter'),
    oninput: () => {
      shown = PAGE_ROWS;
      draw();
    },
  }) as HTMLInputElement;
  draw();
  const titleId = `${table.id}-title`;
  return h(
    'section.card',
    { id: table.id, 'aria-labelledby': titleId },
    h('div.card-head', h(heading, { id: titleId }, title), table.rows.length >= FILTER_FROM ? filter : null),
    h('p.note', t(table.note)),
    ...table.notKnown.map((sentence) => h('p.note.not-known', formats.brief(sentence))),
    scrolling(t('Rows of {title}', { title }), h('table', h('thead', h('tr', ...heads)), body)),
    foot,
  );
}

/** The rows, of all or of one value of a group. */
function rowsOf({ rows, columns }: ReportTable, only: TableOptions['only']): readonly Row[] {
  if (only === undefined) return rows;
  const column = columns.findIndex(({ group }) => group === only.by);
  return rows.filter((row) => (row[column] || null) === only.value);
}

function saveFile(name: string, blob: Blob): void {
  const href = URL.createObjectURL(blob);
  h('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href));
}

function headCell(column: ReportColumn, { t }: Formats, onSort: () => void): HTMLElement {
  return h(
    'th',
    { scope: 'col', class: classOf(column) },
    h('button', { type: 'button', onclick: onSort }, t(column.label)),
  );
}

interface Drawn {
  readonly table: ReportTable;
  readonly formats: Formats;
  readonly playerUrls: Readonly<Record<string, string>>;
}

function rowOf({ table, formats, playerUrls }: Drawn, row: Row): HTMLElement {
  const told = (index: number) => formats.cell(row[index] ?? null, table.columns[index]?.kind ?? 'text');
  const isKnown = (index: number) => (row[index] ?? '') !== '';
  const telling = table.columns.flatMap(({ place, kind, label }, index) => {
    if (place !== 'telling' || !isKnown(index)) return [];
    // A name tells what it is; a figure does not.
    return FIGURES.has(kind) || kind === 'time' ? [`${formats.t(label)}: ${told(index)}`] : [told(index)];
  });
  const href = playerUrl({ table, playerUrls }, row);
  const cells = table.columns.map((column, index) => {
    if (column.place === 'key') return null;
    const value = row[index] ?? null;
    const text = told(index);
    // A state is a word with a mark, never only a colour.
    const mark = { 'data-state': String(value).replaceAll(' ', '-') };
    const state = column.kind === 'state' && value !== null ? h('span.badge', mark, text) : text;
    const link = index === 0 && href !== undefined ? h('a', { href, rel: 'noreferrer' }, text) : state;
    const also = index === 0 && telling.length > 0 ? h('small.also', telling.join(' · ')) : null;
    return h('td', { class: classOf(column) }, link, bar(column, value), also);
  });
  return h('tr', ...cells);
}

/** The row's player in its platform; undefined without an address in the config. */
function playerUrl({ table, playerUrls }: Omit<Drawn, 'formats'>, row: Row): string | undefined {
  const cellOf = (is: 'player' | 'source') => {
    const index = table.columns.findIndex((column) => column.is === is);
    return index < 0 ? null : (row[index] ?? null);
  };
  const [player, source] = [cellOf('player'), cellOf('source')];
  if (player === null || source === null || !Object.hasOwn(playerUrls, String(source))) return undefined;
  return playerUrls[String(source)]?.replace('{id}', () => encodeURIComponent(String(player)));
}

/** A share is also a bar below its figure, so that a column of shares compares at a glance. */
function bar({ kind }: ReportColumn, value: Cell): HTMLElement | null {
  if (kind !== 'share' || value === null) return null;
  const share = Math.max(0, Math.min(1, Number(value)));
  return h('span.bar', { 'aria-hidden': 'true', style: `--share:${(share * 100).toFixed(1)}%` });
}

function classOf({ kind, place }: ReportColumn): string | undefined {
  const of = FIGURES.has(kind) ? 'figure' : kind === 'time' || kind === 'age' ? 'time' : undefined;
  return [of, place].filter((each) => each !== undefined).join(' ') || undefined;
}
