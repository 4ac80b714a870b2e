import { findRecords } from '#lib/api/records/envelope.ts';
import { type ResourceName, resourceNamed } from '#lib/sources/resources.ts';
import { bodyOf } from './body-of.ts';

interface Question {
  readonly resource?: ResourceName;
  readonly setting?: string | undefined;
  readonly id?: string | undefined;
  readonly ignore?: readonly string[];
  readonly lock?: { readonly envelope: string; readonly keys?: readonly string[] };
}

/** What is found of the records of players, or of another resource, in a body. */
export function foundIn(
  body: Awaited<ReturnType<typeof bodyOf>>,
  { resource = 'players', setting, lock, ...more }: Question = {},
): ReturnType<typeof findRecords> {
  return findRecords({ body, resource: resourceNamed(resource), setting, lock, ...more });
}

/** Where the records are found and how many, or the error's code and message. */
export async function found(
  text: string,
  { lock, keys, ...question }: Omit<Question, 'lock'> & { lock?: string; keys?: readonly string[] } = {},
): Promise<string> {
  const body = await bodyOf(text);
  try {
    const { envelope, place } = foundIn(body, {
      ...question,
      ...(lock !== undefined && { lock: { envelope: lock, ...(keys && { keys }) } }),
    });
    return place === null
      ? `${envelope}: none`
      : `${envelope}: ${place.form === 'record' ? 1 : place.container.children}`;
  } catch (error) {
    return `${Reflect.get(Object(error), 'code')}: ${error instanceof Error ? error.message : ''}`;
  }
}

export const TWO = '[{"Id":1},{"Id":2}]';
