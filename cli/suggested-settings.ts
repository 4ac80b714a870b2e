import { mergeTrees, type SettingTree, treeOf } from '#lib/config/setting-tree.ts';
import type { MissingPath } from './answering-paths.ts';
import type { Checked } from './checked.ts';

/** Parts of a source in the config, by the source's name. */
export type SuggestedSettings = SettingTree;

/** Where an error or question names a setting, and what may stand there. */
const NAMED: readonly {
  readonly pattern: RegExp;
  readonly path: (match: readonly string[]) => readonly string[];
  readonly value: (match: readonly string[]) => string;
}[] = [
  {
    pattern: /[Ss]et resources\.(\w+)\.items to "([^"]+)"/g,
    path: ([, resource = '']) => ['resources', resource, 'items'],
    value: ([, , items = '']) => items,
  },
  {
    pattern: /[Ss]et resources\.(\w+)\.items to where/g,
    path: ([, resource = '']) => ['resources', resource, 'items'],
    value: () => 'PATH.TO.THE.LIST',
  },
  {
    pattern: /[Ss]et resources\.(\w+)\.paging to/g,
    path: ([, resource = '']) => ['resources', resource, 'paging'],
    value: () => 'none | page:PARAM | offset:PARAM | cursor:PARAM | next | link',
  },
  {
    pattern: /resources\.(\w+)\.id\b/g,
    path: ([, resource = '']) => ['resources', resource, 'id'],
    value: () => 'FIELD',
  },
  {
    pattern: /[Ss]et resources\.(\w+)\.columns\.(\w+)\.format to "([^"]+)" or "([^"]+)"/g,
    path: ([, table = '', column = '']) => ['resources', table, 'columns', column, 'format'],
    value: ([, , , one = '', other = '']) => `${one} | ${other}`,
  },
  {
    pattern: /resources\.(?!backup_)\w+\.path/g,
    path: () => ['basePath'],
    value: () => '/gv2/webservices/API | …',
  },
  {
    pattern: /Set "timeZone" of the source/g,
    path: () => ['timeZone'],
    value: () => 'Europe/Berlin',
  },
];

/**
 * What the config may need, as it is to be written: what errors and questions ask for, and where missing paths answer.
 * Where only the operator can know the value, the choices stand in its place.
 */
export function suggestedSettings(
  checked: readonly Checked[],
  missing: readonly MissingPath[],
): SuggestedSettings {
  const asked = checked.flatMap(({ source, ok, message, questions }) =>
    [...(ok ? [] : [message ?? '']), ...questions].flatMap((text) =>
      NAMED.flatMap(({ pattern, path, value }) =>
        [...text.matchAll(pattern)].map((match) => ({
          [source]: treeOf({ [path(match).join('.')]: value(match) }),
        })),
      ),
    ),
  );
  const found = missing.filter(({ settings }) => settings !== null);
  return mergeTrees([
    ...asked,
    ...[...found, ...missing].map(({ source, settings, choices }) => ({ [source]: settings ?? choices })),
  ]);
}
