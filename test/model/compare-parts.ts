import { decimalOf } from '../schema/reference.ts';
import type { Model } from './commands/model.ts';
import type { TableName, TableRule } from './reference-lake.ts';

export const TABLES: readonly TableName[] = ['players', 'screens'];

/** What a comparison needs besides the lake. */
export type Known = Pick<Model, 'runs' | 'dropped' | 'masked' | 'rules' | 'lost' | 'hasNewKey'>;

export const NOTHING: TableRule = { columns: [], flattened: [] };

export function droppedOf(table: TableName, rule: TableRule = NOTHING): readonly string[] {
  return rule.columns.flatMap(({ name, paths }) =>
    paths.filter(({ isDropped }) => isDropped).map(({ source }) => `${table} ${source} ${name}`),
  );
}

export function maskedOf(table: TableName, rule: TableRule = NOTHING): readonly string[] {
  return rule.columns.flatMap(({ name, masked }) => masked.map((source) => `${table} ${source} ${name}`));
}

export function setFaults(what: string, are: readonly string[], due: readonly string[]): readonly string[] {
  const [isThere, isDue] = [new Set(are), new Set(due)];
  return [
    ...(isThere.size === are.length ? [] : [`${what}: some stand there twice`]),
    ...due.filter((each) => !isThere.has(each)).map((each) => `${what} lacks ${each}`),
    ...are.filter((each) => !isDue.has(each)).map((each) => `${what} has ${each}`),
  ];
}

/** A cell's text in the form of the model. */
export function plain(text: string | null, type: string): string | null {
  if (text === null) return null;
  if (type === 'bigint' || type === 'decimal(38,9)' || type === 'double') return decimalOf(text);
  return type === 'date' ? String(Date.parse(text)) : text;
}
