import type { Sentence } from '../../views/sentence.ts';
import type { ReportData, TileName } from '../report-data.ts';
import { SPARK_SIZE, sparkPath } from './chart-spec.ts';
import { h, type Part } from './dom.ts';
import { type Formats, LEAST_DAYS } from './formats.ts';
import { changeOf, ofSameSources, ofWhole, type Tile, tileFigures } from './tile-figures.ts';

/** The tiles that follow a chosen group; the others show the whole. */
interface Cut {
  readonly names: readonly TileName[];
  readonly whole: ReportData;
}

/** The main figures, each with its change since the last day that has it, and its spark line. */
export function tiles(data: ReportData, formats: Formats, cut?: Cut): HTMLElement {
  const own = new Map(tileFigures(data, formats).map((tile) => [tile.name, tile]));
  const shown = tileFigures(cut?.whole ?? data, formats).map((tile) => {
    if (cut === undefined || cut.names.includes(tile.name))
      return tileElement(own.get(tile.name) ?? tile, data, formats);
    const element = tileElement(tile, cut.whole, formats);
    element.classList.add('whole');
    return element;
  });
  return h('dl.tiles', ...shown);
}

const NO_FIGURE: Sentence = { text: 'The API has no such listing here, or it says no such figure.' };
const NO_DATE: Sentence = {
  text: 'The API does not say since when they wait, and the exports do not go back a day.',
};

function tileElement(tile: Tile, data: ReportData, formats: Formats): HTMLElement {
  const { t } = formats;
  const { name, label, figure, of, isWholeKnown, note } = tile;
  const now = figure.values.at(-1) ?? figure.least ?? null;
  const without = data.without[name];
  const element = (...parts: readonly Part[]) =>
    h('div.card.tile', { id: `tile-${name}` }, h('dt', label), ...parts);
  if (now === null) {
    const why = data.notKnown[name];
    // Players wait, and nobody knows since when.
    const isUndated = name === 'transfers' && (data.trend.series.players_waiting.at(-1) ?? 0) > 0;
    return element(
      h('dd.value.unknown', t('Not known'), ...(isWholeKnown ? [' ', h('small', of)] : [])),
      ...(why.length > 0 ? why : [isUndated ? NO_DATE : NO_FIGURE]).map((each) =>
        h('dd.note', formats.brief(each)),
      ),
    );
  }
  const value = formats.cell(now, figure.kind);
  return element(
    h(
      'dd.value',
      ...(figure.least === undefined ? [value] : [h('small', t('at least')), ` ${value}`]),
      ...(of === '' ? [] : [' ', h('small', ofWhole(tile, formats))]),
    ),
    change(tile, data, formats),
    spark(ofSameSources(figure), data.trend.dates, formats),
    ...(note === '' ? data.notKnown[name].map(formats.brief) : [note]).map((each) => h('dd.note', each)),
    without.length === 0
      ? null
      : h(
          'dd.note.not-known',
          t('Not wholly answered by {sources}: missing, or of an earlier run', {
            sources: without.join(', '),
          }),
        ),
  );
}

/** The change since an earlier day. */
function change(tile: Tile, data: ReportData, formats: Formats): HTMLElement | null {
  const { t, number } = formats;
  const found = changeOf(tile, data);
  if (found === undefined) return null;
  const { now, before, of } = found;
  const day = formats.shortDay(data.trend.dates[found.day] ?? '');
  const by = formats.change(now - before, tile.figure.kind);
  const compared =
    of === undefined ? null : h('small', ' ', t('of {count} known on both days', { count: number(of) }));
  if (by === undefined) return h('dd.change', t('as on {day}', { day }), compared);
  const isGood = now > before === (tile.moreIs === 'better');
  const colour = isGood ? 'good' : isAllClosed(tile, data) ? undefined : 'bad';
  return h('dd.change', { 'data-is': colour }, t('{by} since {day}', { by, day }), compared);
}

/** Whether nothing is missing but what is out while its place is closed. */
function isAllClosed({ name, figure, whole, unknown }: Tile, { closed }: ReportData): boolean {
  if (closed === undefined || (name !== 'players' && name !== 'screens')) return false;
  return (figure.values.at(-1) ?? 0) + (unknown ?? 0) + closed[name] === whole;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A line of the figures by day, without axes, from zero, or the lowest below it, to the highest; unknown days are gaps. Null with too few known days. */
function spark(
  values: readonly (number | null)[],
  dates: readonly string[],
  formats: Formats,
): Element | null {
  if (values.filter((value) => value !== null).length < LEAST_DAYS) return null;
  const svg = document.createElementNS(SVG, 'svg');
  const label = formats.t('Trend since {day}', { day: formats.day(dates[0] ?? '') });
  for (const [name, text] of [
    ['class', 'spark'],
    ['viewBox', `0 0 ${SPARK_SIZE.width} ${SPARK_SIZE.height}`],
    ['role', 'img'],
    ['aria-label', label],
    ['preserveAspectRatio', 'none'],
  ] as const)
    svg.setAttribute(name, text);
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', sparkPath(values));
  svg.append(line);
  const cell = document.createElement('dd');
  cell.className = 'spark-cell';
  cell.append(svg);
  return cell;
}
