import type { Clocks } from './local-time.ts';
import type { Truth } from './oracle.ts';
import type { Row } from './telling.ts';

/** What is true of a player or screen, and its rows of the view device_states. */
export interface Device {
  readonly truth: Truth;
  readonly clocks: Clocks;
  readonly states: readonly Row[];
}

/** Whether it moved on a day without a sight, or before the first: days before that count as the first. */
export function hasUnseenMove({ player: { movesOn }, told, seen }: Truth, clocks: Clocks): boolean {
  const days = seen.map((at) => clocks.dayOf(at));
  if (movesOn !== told.movesOn) return true;
  return movesOn !== undefined && !(days.includes(movesOn) && days.some((day) => day < movesOn));
}

/** A column of times; undefined where it is null. */
export function time(row: Row, column: string): number | undefined {
  const said = row[column];
  return said === null || said === undefined ? undefined : Date.parse(String(said));
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}
