import type * as z from 'zod';
import { UsageError } from '../errors.ts';
import { valueAt } from '../fields.ts';
import { KINDS } from '../sources/kinds.ts';
import { nearest } from '../text.ts';
import { harmlessUrl } from './origin.ts';

type Issue = z.core.$ZodIssue;

/** A mistake in a config. */
export interface ConfigFault {
  /** `sources[0].baseUrl`. */
  readonly field: string;
  /** The value and the cure, as the end of a sentence that begins with the field. */
  readonly says: string;
}

/** A config with mistakes: all of them, one for each field. */
export class ConfigInvalid extends UsageError {
  readonly faults: readonly ConfigFault[];

  constructor(file: string, faults: readonly ConfigFault[]) {
    const each = faults.map(({ field, says }) => `${field} ${says}`);
    super(
      each.length === 1
        ? `${file}: ${each[0]}.`
        : `${file} has ${each.length} mistakes:\n${each.map((line) => `  ${line}.`).join('\n')}`,
    );
    this.faults = faults;
  }
}

/** The first mistake of each field, in the order in which the issues name them. */
export function faultsIn(issues: readonly Issue[], written: unknown): readonly ConfigFault[] {
  const all = issues.flatMap((issue) => faultsOf(issue, written));
  return [...Map.groupBy(all, ({ field }) => field).values()].flatMap((same) => same.slice(0, 1));
}

function faultsOf(issue: Issue, written: unknown): readonly ConfigFault[] {
  if (issue.code === 'unrecognized_keys') {
    // A line for each key.
    const lines = issue.message.split('\n');
    return issue.keys.map((key, index) => ({
      field: fieldOf([...issue.path, key]),
      says: `is ${lines[index]}`,
    }));
  }
  const value = valueAt(written, issue.path);
  const says =
    value === undefined
      ? `is missing; it must be ${issue.message}`
      : `is ${shown(value, issue.path)}, but must be ${issue.message}${meantText(issue, value)}`;
  return [{ field: fieldOf(issue.path), says }];
}

/** The probable word, if one of a few is due. */
function meantText(issue: Issue, value: unknown): string {
  const isKind = issue.code === 'invalid_union' && issue.path.at(-1) === 'kind';
  const kinds = isKind ? KINDS.map(({ kind }) => kind) : [];
  const due = issue.code === 'invalid_value' ? issue.values.map(String) : kinds;
  const meant = typeof value === 'string' ? nearest(value, due) : undefined;
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}`;
}

/** The name of a field in messages: `sources[0].baseUrl`. */
export function fieldOf(path: readonly PropertyKey[]): string {
  const field = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return field === '' ? 'the config' : field.replace(/^\./, '');
}

/** The sources of a config as it is written; none where it has no list of them. */
export function sourcesIn(written: unknown): readonly unknown[] {
  const sources = valueAt(written, ['sources']);
  return Array.isArray(sources) ? sources : [];
}

/** Longer values are cut in messages. */
const MAX_SHOWN = 60;

/** A value as a message may show it. Somebody may have written the secret itself instead of its name. */
function shown(value: unknown, path: readonly PropertyKey[]): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : 'a list';
  if (value !== null && typeof value === 'object') return 'an object';
  const harmless = path.at(-1) === 'baseUrl' && typeof value === 'string' ? harmlessUrl(value) : value;
  const json = JSON.stringify(harmless);
  return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}…` : json;
}
