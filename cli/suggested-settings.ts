import type { Checked } from './checked.ts';

/** Parts of a source in the config, by the source's name. */
export type SuggestedSettings = Readonly<Record<string, object>>;

type Tree = { [key: string]: Tree | string };

/** Where an error or question names a setting, and what may stand there. */
const NAMED: readonly {
  readonly pattern: RegExp;
  readonly path: (match: readonly string[]) => readonly string[];
  readonly value: (match: readonly string[]) => string;
}[] = [
  {
    pattern: /set resources\.(\w+)\.items to "([^"]+)"/g,
    path: ([, resource = '']) => ['resources', resource, 'items'],
    value: ([, , items = '']) => items,
  },
  {
    pattern: /set resources\.(\w+)\.items to where/g,
    path: ([, resource = '']) => ['resources', resource, 'items'],
    value: () => 'PATH.TO.THE.LIST',
  },
  {
    pattern: /set resources\.(\w+)\.paging to/g,
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
    pattern: /resources\.backup_\w+\.path/g,
    path: () => ['product'],
    value: () => 'backup | backups',
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
 * What the config may need, as it is to be written: what errors and questions ask for. Where only the operator can
 * know the value, the choices stand in its place.
 */
export function suggestedSettings(checked: readonly Checked[]): SuggestedSettings {
  const settings: Record<string, Tree> = {};
  for (const { source, ok, message, questions } of checked) {
    for (const text of [...(ok ? [] : [message ?? '']), ...questions]) {
      for (const { pattern, path, value } of NAMED) {
        for (const match of text.matchAll(pattern)) {
          const tree = settings[source] ?? {};
          settings[source] = tree;
          put(tree, path(match), value(match));
        }
      }
    }
  }
  return settings;
}

function put(tree: Tree, path: readonly string[], value: string): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) {
    tree[key] = value;
    return;
  }
  const below = tree[key];
  const next: Tree = typeof below === 'object' ? below : {};
  tree[key] = next;
  put(next, rest, value);
}
