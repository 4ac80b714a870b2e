import type { CellKind, ReportTable } from '../report-data.ts';

export interface ChartSeries {
  readonly name: string;
  /** CSS variable of its colour. */
  readonly color: string;
  readonly values: readonly (number | null)[];
  /** @default that of the chart */
  readonly kind?: CellKind;
  readonly dashed?: boolean;
  /** The values of which it is the error, up and down: it is drawn as a band around them. */
  readonly bandOf?: readonly (number | null)[];
}

/** What a chart shows. */
export interface ChartSpec extends Pick<ReportTable, 'id' | 'title' | 'note'> {
  readonly kind: CellKind;
  /** `bars` and `rows` are stacked; rows are horizontal and add up to the whole. */
  readonly form: 'lines' | 'bars' | 'rows';
  /** Days, YYYY-MM-DD, or names. */
  readonly labels: readonly string[];
  readonly labelsAre: 'days' | 'names';
  readonly series: readonly ChartSeries[];
}

export const SPARK_SIZE = { width: 120, height: 28 };

/** The steps of a spark line. All show zero, so that equal steps of two lines are equal shares of their highest figure. */
export function sparkPath(values: readonly (number | null)[]): string {
  const { width, height } = SPARK_SIZE;
  const known = values.map((value) => value ?? 0);
  const [least, most] = [Math.min(0, ...known), Math.max(0, ...known)];
  const x = (day: number) => ((day / (values.length - 1)) * (width - 4) + 2).toFixed(1);
  const y = (value: number) =>
    (height - 3 - ((value - least) / (most - least || 1)) * (height - 6)).toFixed(1);
  let isOpen = false;
  const steps = values.map((value, day) => {
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
  return steps.join('');
}
