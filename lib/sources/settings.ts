import * as z from 'zod';
import { nearest } from '../text.ts';

/*
 * Every message here ends a sentence. For a wrong value it is "FIELD is VALUE, but must be …", for a missing
 * one "FIELD is missing; it must be …", and for unknown keys, a line each, "FIELD is …".
 */

/** For faults between settings: they are found even if one of the settings is itself wrong. */
export const IN_ANY_CASE = {
  when: ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null,
};

/** The shape of settings within one { }; every key that it does not name is an error. */
export function settings<Shape extends z.ZodRawShape>(owner: string, shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownKey(owner, key, Object.keys(shape))).join('\n')
        : `the settings of ${owner}, in { }`,
  });
}

/** An API key must not be in a file that is not secret. */
const NAMES_A_SECRET = /(key|token|password|session_?id)$/i;

function unknownKey(owner: string, key: string, known: readonly string[]): string {
  if (NAMES_A_SECRET.test(key))
    return `no setting of ${owner}: put it into the secret that the setting secret names`;
  const meant = nearest(key, known);
  return `no setting of ${owner}; ${meant === undefined ? `remove it, or write one of ${known.join(', ')}` : `did you mean ${meant}`}`;
}

/** A text that matches the pattern; `due` says what it must be. */
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
