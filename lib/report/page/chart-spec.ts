import type { CellKind } from '../report-data.ts';

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
export interface ChartSpec {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly kind: CellKind;
  /** `bars` and `rows` are stacked; rows are horizontal and add up to the whole. */
  readonly form: 'lines' | 'bars' | 'rows';
  /** Days, YYYY-MM-DD, or names. */
  readonly labels: readonly string[];
  readonly labelsAre: 'days' | 'names';
  readonly series: readonly ChartSeries[];
}
