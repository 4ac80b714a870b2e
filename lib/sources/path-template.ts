/** A path of the config with its query: `/screens?playerId={id}`. */
export interface PathTemplate {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** The parent's id in a path, or in a value of its query. */
const PARENT_ID = '{id}';

/** Path and query of a template, the query's values decoded. */
export function parsePath(template: string): PathTemplate {
  const [path = '', ...rest] = template.split('?');
  return { path, query: Object.fromEntries(new URLSearchParams(rest.join('?'))) };
}

/** A query is not secret: it is in the config, and in logs of servers. */
const NAMES_A_KEY = /^((api|access|auth)[_-]?)?(key|token|secret)$|^session[_-]?id$|password/i;

/**
 * What a path of the config must be, if it is wrong; otherwise undefined. A path of children has the parent's
 * id once, in the path or in a value of the query. Other paths have none.
 */
export function pathFault(
  template: string,
  { isOfParent }: { readonly isOfParent: boolean },
): string | undefined {
  const due = isOfParent
    ? 'a path such as "/0/backup/{id}/slot" or "/screens?playerId={id}", with {id} once and without #'
    : 'a path such as "/1/backup" or "/players?limit=100", without {id} and #';
  if (!/^\/[^#\s]*$/.test(template)) return due;
  const { path, query } = parsePath(template);
  const names = [...new URLSearchParams(template.slice(path.length)).keys()];
  if (path.split('/').some((part) => part === '.' || part === '..')) return due;
  if (names.length !== Object.keys(query).length) return `${due}, and each parameter once`;
  const secret = names.find((name) => NAMES_A_KEY.test(name));
  if (secret !== undefined)
    return `a path without ${secret}: a key belongs into the secret that the setting secret names`;
  const places = [path, ...Object.values(query)].join('\n').split(PARENT_ID);
  const hasOthers = [...names, ...places].some((text) => /[{}]/.test(text));
  return hasOthers || places.length !== (isOfParent ? 2 : 1) ? due : undefined;
}

/** The target of a template for that parent; the path has its id encoded as one segment. */
export function fillPath({ path, query }: PathTemplate, parentId: string): PathTemplate {
  return {
    path: path.replaceAll(PARENT_ID, () => segment(parentId)),
    query: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, value.replaceAll(PARENT_ID, () => parentId)]),
    ),
  };
}

/** One path segment: everything but unreserved characters is encoded; also `.` and `..`, which URL parsers resolve. */
function segment(id: string): string {
  const encoded = encodeURIComponent(id);
  return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded;
}
