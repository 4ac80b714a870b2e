import { findRecords } from '#lib/api/records/envelope.ts';
import { type ResourceName, resourceNamed } from '#lib/sources/resources.ts';
import { bodyOf } from './body-of.ts';

interface Question {
  readonly resource?: ResourceName;
  readonly setting?: string;
  readonly lock?: string;
  /** Of the locked map. */
  readonly keys?: readonly string[];
}

/** Where the records are found and how many, or the error's code and message. */
export async function found(text: string, question: Question = {}): Promise<string> {
  const { resource = 'players', setting, keys } = question;
  const lock = question.lock === undefined ? undefined : { envelope: question.lock, ...(keys && { keys }) };
  const body = await bodyOf(text);
  try {
    const { envelope, place } = findRecords({ body, resource: resourceNamed(resource), setting, lock });
    return place === null
      ? `${envelope}: none`
      : `${envelope}: ${place.form === 'record' ? 1 : place.container.children}`;
  } catch (error) {
    return `${Reflect.get(Object(error), 'code')}: ${error instanceof Error ? error.message : ''}`;
  }
}

export const TWO = '[{"Id":1},{"Id":2}]';
