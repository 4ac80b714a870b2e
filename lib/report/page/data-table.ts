import type { Cell, CellKind, ReportColumn, ReportTable } from '../report-data.ts';
import { h } from './dom.ts';
import type { Formats } from './formats.ts';

/** Rows shown at first, and more with each press of the button. */
const PAGE_ROWS = 15;
const FIGURES: ReadonlySet<CellKind> = new Set(['number', 'share', 'bytes', 'hours', 'days', 'money']);
/** Tables so short need no filter. */
const FILTER_FROM = 6;

interface View {
  sortBy: number | undefined;
  descending: boolean;
  filter: string;
  shown: number;
}

/** A table that sorts by its heads and filters by what is typed; what it does is said to screen readers. */
export function dataTable(table: ReportTable, formats: Formats, heading: 'h2' | 'h3' = 'h3'): HTMLElement {
  const { t } = formats;
  const title = t(table.title);
  const view: View = { sortBy: undefined, descending: true, filter: '', shown: PAGE_ROWS };
  const body = h('tbody');
  const said = h('p', { class: 'said', role: 'status' });
  const more = h('button', { type: 'button', class: 'quiet more' }, formats.t('Show more'));
  const foot = h('div', { class: 'card-foot' }, said, more);
  const heads = table.columns.map((column, index) => headCell(column, formats, () => sortBy(index)));
  const told: (readonly string[] | undefined)[] = [];
  const texts = (row: number) => {
    told[row] ??= (table.rows[row] ?? []).map((cell, index) =>
      formats.cell(cell, table.columns[index]?.kind ?? 'text'),
    );
    return told[row];
  };

  const draw = () => {
    const found = sorted(matching(view.filter, table.rows.length, texts), table, view);
    body.replaceChildren(...found.slice(0, view.shown).map((row) => rowOf(table, row, texts(row))));
    if (found.length === 0) body.append(emptyRow(table, view.filter, formats));
    more.hidden = found.length <= view.shown;
    const words = sayRows(table, { found: found.length, shown: view.shown, formats });
    said.textContent = words;
    foot.hidden = words === '' && more.hidden;
    for (const [index, head] of heads.entries()) {
      const order = view.sortBy !== index ? undefined : view.descending ? 'descending' : 'ascending';
      if (order === undefined) head.removeAttribute('aria-sort');
      else head.setAttribute('aria-sort', order);
    }
  };
  const sortBy = (index: number) => {
    const figures = FIGURES.has(table.columns[index]?.kind ?? 'text');
    view.descending = view.sortBy === index ? !view.descending : figures;
    view.sortBy = index;
    draw();
  };
  more.addEventListener('click', () => {
    view.shown += PAGE_ROWS * 4;
    draw();
  });
  const filter = h('input', {
    type: 'search',
    'aria-label': t('Filter {title}', { title }),
    placeholder: t('Filter'),
  });
  filter.addEventListener('input', () => {
    view.filter = (filter as HTMLInputElement).value;
    view.shown = PAGE_ROWS;
    draw();
  });
  draw();
  const titleId = `${table.id}-title`;
  return h(
    'section',
    { class: 'card', id: table.id, 'aria-labelledby': titleId },
    h(
      'div',
      { class: 'card-head' },
      h(heading, { id: titleId }, title),
      table.rows.length >= FILTER_FROM ? filter : null,
    ),
    h('p', { class: 'note' }, t(table.note)),
    ...table.notKnown.map((sentence) => h('p', { class: 'note not-known' }, formats.sentence(sentence))),
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': t('Rows of {title}', { title }) },
      h('table', {}, h('thead', {}, h('tr', {}, ...heads)), body),
    ),
    foot,
  );
}

function headCell(column: ReportColumn, { t }: Formats, onSort: () => void): HTMLElement {
  return h(
    'th',
    { scope: 'col', class: classOf(column) },
    h('button', { type: 'button', onclick: onSort }, t(column.label)),
  );
}

function rowOf(table: ReportTable, row: number, texts: readonly string[]): HTMLElement {
  const cells = table.columns.map((column, index) => {
    const text = texts[index] ?? '';
    const state = table.rows[row]?.[index] ?? null;
    const content = column.kind === 'state' && state !== null ? badge(String(state), text) : text;
    return h('td', { class: classOf(column) }, content, bar(column, table.rows[row]?.[index] ?? null));
  });
  return h('tr', {}, ...cells);
}

/** A state is a word with a mark, never a colour alone. */
function badge(state: string, text: string): HTMLElement {
  return h('span', { class: 'badge', 'data-state': state.replaceAll(' ', '-') }, text);
}

/** A share is a bar below its figure as well: a column of them can be compared at a glance. */
function bar({ kind }: ReportColumn, value: Cell): HTMLElement | null {
  if (kind !== 'share' || value === null) return null;
  const share = Math.max(0, Math.min(1, Number(value)));
  return h('span', { class: 'bar', 'aria-hidden': 'true', style: `--share:${(share * 100).toFixed(1)}%` });
}

function classOf({ kind, minor }: ReportColumn): string | undefined {
  const classes = [
    ...(FIGURES.has(kind) ? ['figure'] : []),
    ...(kind === 'time' || kind === 'age' ? ['time'] : []),
    ...(minor ? ['minor'] : []),
  ];
  return classes.length > 0 ? classes.join(' ') : undefined;
}

/** A text as it is typed in a hurry: without case and accents, so that munchen finds München. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l');
}

function matching(filter: string, rows: number, texts: (row: number) => readonly string[]): number[] {
  const all = Array.from({ length: rows }, (_, row) => row);
  const words = plain(filter).split(/\s+/).filter(Boolean);
  if (words.length === 0) return all;
  return all.filter((row) => {
    const line = plain(texts(row).join(' '));
    return words.every((word) => line.includes(word));
  });
}

function sorted(rows: number[], table: ReportTable, { sortBy, descending }: View): number[] {
  if (sortBy === undefined) return rows;
  const cellAt = (row: number) => table.rows[row]?.[sortBy] ?? null;
  return rows.toSorted((a, b) => {
    const [left, right] = [cellAt(a), cellAt(b)];
    // Unknown values stand last, in whichever direction the column is sorted.
    if (left === null || right === null) return Number(left === null) - Number(right === null) || a - b;
    const order =
      typeof left === 'number' && typeof right === 'number'
        ? left - right
        : String(left).localeCompare(String(right), undefined, { numeric: true });
    return (descending ? -order : order) || a - b;
  });
}

function emptyRow({ columns, notKnown }: ReportTable, filter: string, { t }: Formats): HTMLElement {
  const none = notKnown.length === 0 ? t('None.') : t('None is known.');
  const text = filter === '' ? none : t('Nothing matches the filter.');
  return h('tr', {}, h('td', { colspan: columns.length, class: 'none' }, text));
}

function sayRows(
  table: ReportTable,
  { found, shown, formats }: { readonly found: number; readonly shown: number; readonly formats: Formats },
): string {
  if (table.total <= PAGE_ROWS && found === table.rows.length) return '';
  const listed = table.rows.length;
  const all = formats.number(table.total);
  const { t, number } = formats;
  const part =
    found < listed
      ? t('{shown} of {found} that match.', { shown: number(Math.min(found, shown)), found: number(found) })
      : t('{shown} of {all}.', { shown: number(Math.min(found, shown)), all });
  const beyond =
    listed < table.total
      ? ` ${t('The page holds the first {listed}: query {view} has all.', { listed: number(listed), view: table.view })}`
      : '';
  return `${part}${beyond}`;
}
