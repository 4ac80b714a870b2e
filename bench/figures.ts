import { availableParallelism, cpus, totalmem } from 'node:os';
import { textTable } from '#cli/text-table.ts';

/** One line of the table. */
export interface Figure {
  readonly section: string;
  readonly name: string;
  readonly value: number;
  readonly unit: 's' | 'MiB' | 'rows/s' | 'B/row' | 'kB' | 'files';
  /** A figure to compare with, measured in the same run. */
  readonly floor?: { readonly name: string; readonly value: number };
  /** The greatest allowed value ÷ floor, value − floor, or value; `least`: the smallest, for more is better. */
  readonly goal?: Goal;
}

export type Goal = { readonly of: 'ratio' | 'over' | 'value' } & (
  | { readonly most: number }
  | { readonly least: number }
);

/** The figures as a table for a person. */
export function figuresTable(figures: readonly Figure[]): string {
  const head = ['', 'measured', 'value', 'against', 'floor', 'ratio', 'goal', ''];
  return textTable(
    head,
    figures.map((figure) => [
      figure.section,
      figure.name,
      shown(figure.value, figure.unit),
      figure.floor?.name ?? '',
      figure.floor === undefined ? '' : shown(figure.floor.value, figure.unit),
      figure.floor === undefined ? '' : ratioOf(figure).toFixed(2),
      goalText(figure),
      verdict(figure),
    ]),
  );
}

/** The content of bench/results.json. Only ratios may be compared between machines, not seconds. */
export function resultsOf(figures: readonly Figure[], at: Date): object {
  return {
    at: at.toISOString(),
    machine: {
      cores: availableParallelism(),
      cpu: cpus()[0]?.model ?? '',
      memoryMiB: Math.round(totalmem() / 2 ** 20),
    },
    figures: figures.map((figure) => ({
      ...figure,
      ...(figure.floor && { ratio: ratioOf(figure) }),
      ...(figure.goal && { isMet: isMet(figure) }),
    })),
  };
}

function ratioOf({ value, floor }: Figure): number {
  return floor === undefined ? Number.NaN : value / floor.value;
}

function isMet(figure: Figure): boolean {
  const { goal } = figure;
  if (goal === undefined) return true;
  const { value, floor } = figure;
  const of = { ratio: ratioOf(figure), over: value - (floor?.value ?? 0), value }[goal.of];
  return 'most' in goal ? of <= goal.most : of >= goal.least;
}

function goalText({ goal, unit }: Figure): string {
  if (goal === undefined) return '';
  const [sign, limit] = 'most' in goal ? ['≤', goal.most] : ['≥', goal.least];
  return `${sign} ${goal.of === 'ratio' ? limit : shown(limit, unit)}${goal.of === 'over' ? ' over it' : ''}`;
}

function verdict(figure: Figure): string {
  if (figure.goal === undefined) return '';
  return isMet(figure) ? 'met' : 'MISSED';
}

function shown(value: number, unit: Figure['unit']): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const number = value.toFixed(digits).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${number} ${unit}`;
}
