import { valueAt } from '../fields.ts';
import type { Cure } from '../sources/question.ts';
import { sourcesIn } from './config-faults.ts';
import { parseJson, withValueAt } from './parse-json.ts';

/** A setting of a source with its chosen value. */
export interface ChosenSetting {
  readonly source: string;
  /** Below the source: `resources.players.paging`. */
  readonly setting: Cure['setting'];
  readonly value: Cure['choices'][number];
}

export type WithSetting = ReturnType<typeof withSetting>;

/** Puts a chosen setting into a config's text, which must be JSON and have a source of that name. */
export function withSetting(text: string, { source, setting, value }: ChosenSetting) {
  const config = parseJson(text);
  const index = sourcesIn(config).findIndex((each) => valueAt(each, ['name']) === source);
  const path = ['sources', index, ...setting.split('.')];
  const before = valueAt(config, path);
  const now =
    Array.isArray(before) && Array.isArray(value) ? [...new Set<unknown>([...before, ...value])] : value;
  const isSame = JSON.stringify(before) === JSON.stringify(now);
  return {
    /** The config's text with the setting, everything else unchanged. */
    text: isSame ? text : withValueAt(text, path, now),
    /** Its place: `sources[0].resources.players.paging`. */
    field: `sources[${index}].${setting}`,
    before,
    /** The value now: a list is added to the previous list. */
    value: now,
  };
}
