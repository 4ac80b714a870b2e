import { type Resource, resourceNamed } from '../../sources/resources.ts';
import type { Source } from '../../sources/source.ts';

/** The answer to one parent. */
export interface AnswerOf {
  readonly parentId: string;
  /** JSON arrays of its records, joined by commas. */
  readonly records: string;
}

const PARENT = 'PARENT';

/**
 * The paths that may return the records of one parent, where the server returns those of all. They use the
 * fields that name each record's parent. With `player_id` 1 and 2 in its records, `/players/{id}/screens` may be
 * `/screens?player_id={id}`.
 */
export function pathsOfField({
  source,
  resource,
  answers,
}: {
  readonly source: Source;
  readonly resource: Resource;
  readonly answers: readonly AnswerOf[];
}): readonly string[] {
  const { path, query } = resource.target(source, PARENT);
  const others = Object.entries(query).filter(([, value]) => value !== PARENT);
  const segments = path.split('/');
  const own = segments.indexOf(PARENT);
  const collection = segments.filter((_, index) => own < 2 || (index !== own && index !== own - 1)).join('/');
  if (collection.includes(PARENT) || collection === '') return [];
  // The API's own word for the parent: `player`.
  const word = resource.parent === null ? '' : resourceNamed(resource.parent).record.toLowerCase();
  const [fields = [], ...more] = answers.map((answer) => fieldsOf(answer, word));
  const inAll = fields.filter((field) => more.every((others) => others.includes(field)));
  return inAll.map((field) => {
    const search = [...others, [field, PARENT]].map(
      (each) => new URLSearchParams([each as [string, string]]),
    );
    return `${collection}?${search.join('&')}`.replace(PARENT, '{id}');
  });
}

/** Fields such as `player_id` with several ids. Those of `media_player_id` must include the requested parent. */
function fieldsOf({ parentId, records: text }: AnswerOf, word: string): readonly string[] {
  const records = (JSON.parse(`[${text}]`) as unknown[][]).flat();
  return Object.keys(Object(records[0])).filter((field) => {
    const name = field.toLowerCase();
    if (!name.includes(word) || !(name.endsWith('id') || name === word)) return false;
    const values = new Set(records.map((record) => String(Object(record)[field])));
    const isExact = [word, `${word}id`].includes(name.replace(/[^a-z]/g, ''));
    return values.size > 1 && (isExact || values.has(parentId));
  });
}
