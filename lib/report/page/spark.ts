import { type Formats, LEAST_DAYS } from './formats.ts';

const SVG = 'http://www.w3.org/2000/svg';
const [WIDTH, HEIGHT] = [120, 28];

/** A line of the figures by day, without axes; unknown days are gaps. Null with too few known days. */
export function spark(
  values: readonly (number | null)[],
  dates: readonly string[],
  formats: Formats,
): Element | null {
  const known = values.filter((value) => value !== null);
  if (known.length < LEAST_DAYS) return null;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (day: number) => ((day / (values.length - 1)) * (WIDTH - 4) + 2).toFixed(1);
  const y = (value: number) =>
    (most === least ? HEIGHT / 2 : HEIGHT - 3 - ((value - least) / (most - least)) * (HEIGHT - 6)).toFixed(1);
  let isOpen = false;
  const path = values.map((value, day) => {
    if (value === null) {
      isOpen = false;
      return '';
    }
    const step = `${isOpen ? 'L' : 'M'}${x(day)} ${y(value)}`;
    // A day between two gaps is a dot.
    const dot = isOpen || values[day + 1] !== null ? '' : 'h0.1';
    isOpen = true;
    return step + dot;
  });
  const svg = document.createElementNS(SVG, 'svg');
  const label = formats.t('Trend since {day}', { day: formats.day(dates[0] ?? '') });
  for (const [name, text] of [
    ['class', 'spark'],
    ['viewBox', `0 0 ${WIDTH} ${HEIGHT}`],
    ['role', 'img'],
    ['aria-label', label],
    ['preserveAspectRatio', 'none'],
  ] as const)
    svg.setAttribute(name, text);
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path.join(''));
  svg.append(line);
  const cell = document.createElement('dd');
  cell.className = 'spark-cell';
  cell.append(svg);
  return cell;
}
