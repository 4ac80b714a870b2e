import { type Resource, resourceNamed } from '../../sources/resources.ts';
import type { Source } from '../../sources/source.ts';

export interface FieldOptions {
  readonly source: Source;
  readonly resource: Resource;
  /** A JSON array of the records that every parent has by its answer. */
  readonly records: string;
  /** Ids of the parents. */
  readonly parents: ReadonlySet<string>;
}

const PARENT = 'PARENT';

/**
 * The paths that may return the records of one parent, where the server returns those of all. They use the
 * fields that name each record's parent. With `player_id` 1 and 2 in its records, `/players/{id}/screens` may
 * be `/screens?player_id={id}`.
 */
export function pathsOfField({ source, resource, records, parents }: FieldOptions): readonly string[] {
  const { path, query } = resource.target(source, PARENT);
  const others = Object.entries(query).filter(([, value]) => value !== PARENT);
  const segments = path.split('/');
  const own = segments.indexOf(PARENT);
  const collection = segments.filter((_, index) => own < 2 || (index !== own && index !== own - 1)).join('/');
  if (collection.includes(PARENT) || collection === '') return [];
  // The API's own word for the parent: `player`.
  const word = resource.parent === null ? '' : resourceNamed(resource.parent).record.toLowerCase();
  return fieldsOf(records, { parents, word }).map((field) => {
    const search = [...others, [field, PARENT]].map(
      (each) => new URLSearchParams([each as [string, string]]),
    );
    return `${collection}?${search.join('&')}`.replace(PARENT, '{id}');
  });
}

/** Fields such as `player_id` with ids of parents: one requested parent, and others. */
function fieldsOf(
  text: string,
  { parents, word }: { readonly parents: ReadonlySet<string>; readonly word: string },
): readonly string[] {
  let records: unknown;
  try {
    records = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(records)) return [];
  const [first] = records;
  return Object.keys(Object(first)).filter((field) => {
    const name = field.toLowerCase();
    if (!name.includes(word) || !(name.endsWith('id') || name === word)) return false;
    const values = new Set(records.map((record) => String(Object(record)[field])));
    return values.size > 1 && [...values].some((value) => parents.has(value));
  });
}
