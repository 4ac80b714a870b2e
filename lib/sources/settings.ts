import * as z from 'zod';
import { nearest } from '../text.ts';

/*
 * Every message here ends a sentence: of a wrong value "FIELD is VALUE, but must be …", of a missing one "FIELD is
 * missing; it must be …", of unknown keys, a line for each, "FIELD is …".
 */

/** For what is wrong between several settings: it is looked for even where one of them is wrong by itself. */
export const IN_ANY_CASE = {
  when: ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null,
};

/** The shape of settings that stand together in { }; every key that it does not name is an error. */
export function settings<Shape extends z.ZodRawShape>(owner: string, shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownKey(owner, key, Object.keys(shape))).join('\n')
        : `the settings of ${owner}, in { }`,
  });
}

/** An API key must not stand in a file that is no secret. */
const NAMES_A_SECRET = /(key|token|password|session_?id)$/i;

function unknownKey(owner: string, key: string, known: readonly string[]): string {
  if (NAMES_A_SECRET.test(key))
    return `no setting of ${owner}: put it into the secret that the setting secret names`;
  const meant = nearest(key, known);
  return `no setting of ${owner}; ${meant === undefined ? `remove it, or write one of ${known.join(', ')}` : `did you mean ${meant}`}`;
}

/** A text that the pattern fits; `due` says what it must be. */
export const text = (due: string, pattern = /./s) =>
  z.string({ error: due }).regex(pattern, { error: due }).describe(due);

/** A number from `least` to `most`; `due` says what it must be. */
export const number = (due: string, least: number, most: number) =>
  z.number({ error: due }).min(least, { error: due }).max(most, { error: due }).describe(due);

/** A whole number from `least` to `most`; `what` says what it counts. */
export const whole = (what: string, least: number, most: number) => {
  const due = `${what}, a whole number from ${least} to ${most}`;
  return number(due, least, most).int({ error: due });
};
