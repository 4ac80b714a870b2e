import {
  type ColumnDecision,
  type ColumnRequest,
  decideColumn,
  type LockedColumn,
} from '#lib/schema/columns/decide-column.ts';
import type { ColumnProfile, ValueClass } from '#lib/schema/columns/value-classes.ts';

export type Counts = Partial<Record<ValueClass, number>>;
export const profile = (counts: Counts, nulls = 0): ColumnProfile => ({
  records: Object.values(counts).reduce((sum, count) => sum + count, nulls),
  counts,
});
/** `misfits`: values that are in rejects for their type. */
export const decide = (counts: Counts, more: Partial<ColumnRequest> = {}) => {
  const profiles = { berlin: profile(counts) };
  const decision = decideColumn({ table: 'players', name: 'value', profiles, ...more });
  const misfits = Object.values(decision.rejects).reduce((sum, { type }) => sum + type, 0);
  return { ...decision, misfits };
};
export const lock = (decision: ColumnDecision): LockedColumn => decision;
export const BERLIN = { timeZones: { berlin: 'Europe/Berlin' } };
