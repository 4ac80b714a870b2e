import { SPARK_SIZE, sparkPath } from './chart-spec.ts';
import { type Formats, LEAST_DAYS } from './formats.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** A line of the figures by day, without axes, from zero, or the lowest below it, to the highest; unknown days are gaps. Null with too few known days. */
export function spark(
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
