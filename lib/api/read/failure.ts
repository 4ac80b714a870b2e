import type { Body } from '../body/body.ts';
import type { HeaderFields } from '../headers.ts';
import { type Fact, factsOf, nameOf } from './facts.ts';
import { switchOf, wholeNumberOf } from './value-kind.ts';
import { BAD, ENDS, FAULTS, HARMLESS_ALWAYS, HEALTHY, MESSAGES, PARTIAL, SUCCESSES } from './vocabulary.ts';
import { wordsOf } from './words.ts';

/** Returns the name of the member or header that shows a failure; null without one. */
export type FaultIn = (answer: {
  readonly headers: HeaderFields;
  readonly body: Body | null;
}) => string | null;

/** Finds the failure in an answer, without the place of its records. */
export const faultInAnswer: FaultIn = ({ headers, body }) => {
  const failure = failureAmong(factsOf({ headers, body, place: null }));
  return failure === undefined ? null : nameOf(failure);
};

/**
 * The fact that shows a failed call with status 200: a failure word with a failure value. Examples: `result:
 * "error"`, `status.code: 500`, `failed: 1`, an `error` that is not empty, `success: false`.
 */
export function failureAmong(facts: readonly Fact[]): Fact | undefined {
  return facts.find((fact) => !fact.isHeader && isFailure(fact, facts));
}

function isFailure(fact: Fact, among: readonly Fact[]): boolean {
  const { path, value } = fact;
  const own = wordsOf(path.at(-1) ?? '');
  if (own.some((word) => HARMLESS_ALWAYS.has(word))) return false;
  if (own.includes('timeout') || own.join(' ').includes('timed out')) return value === true;
  if (has(own, FAULTS)) return tells(fact, among);
  if (has(own, PARTIAL)) return Array.isArray(value) ? value.length > 0 : (switchOf(value) ?? isText(value));
  if (has(own, SUCCESSES) && own.length <= 2) return switchOf(value) === false;
  const isInside = path.slice(0, -1).some((name) => isFaultObject(wordsOf(name)));
  if (isInside) return tells(fact, among);
  return has(own, ENDS) && isBadEnd(fact, { own, among });
}

function has(words: readonly string[], some: ReadonlySet<string>): boolean {
  return words.some((word) => some.has(word));
}

/** `error`, `lastError`; the members of such an object belong to the error. */
function isFaultObject(words: readonly string[]): boolean {
  return words.length <= 2 && has(words, FAULTS);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && !isHealthy(value);
}

/** True for a text that says that nothing is wrong: `OK`, `none`, `No errors`. */
function isHealthy(value: unknown): boolean {
  const text = String(value).trim().toLowerCase();
  if (text === '' || HEALTHY.has(text)) return true;
  const [first, ...rest] = wordsOf(text);
  return first === 'no' && rest.every((word) => FAULTS.has(word) || word === 'warnings');
}

/** True if a fact with an error's name is one: not empty, 0, false, healthy, or next to a success code. */
function tells({ path, value, kind }: Fact, among: readonly Fact[]): boolean {
  if (kind === 'nothing' || value === false) return false;
  if (Array.isArray(value)) return true;
  if (isHealthy(value) || isSuccess(wholeNumberOf(value))) return false;
  const isMessage = path.length > 1 || wordsOf(path.at(-1) ?? '').some((word) => MESSAGES.has(word));
  return (
    !isMessage || !siblings(path, among).some((each) => isCode(each) && isSuccess(wholeNumberOf(each.value)))
  );
}

function isSuccess(code: number | undefined): boolean {
  return code === 0 || (code !== undefined && code >= 200 && code < 300);
}

function isCode({ path }: Fact): boolean {
  return wordsOf(path.at(-1) ?? '').includes('code');
}

/** The facts of the same object. */
function siblings(path: readonly string[], among: readonly Fact[]): readonly Fact[] {
  return among.filter(
    (other) =>
      other.path.length === path.length && path.slice(0, -1).every((name, at) => name === other.path[at]),
  );
}

/** True for `status: "NOK"`, `result: "asynchronous"`, `statusCode: 500`. */
function isBadEnd(
  { path, value }: Fact,
  { own, among }: { readonly own: readonly string[]; readonly among: readonly Fact[] },
): boolean {
  const code = wholeNumberOf(value);
  if (code !== undefined) {
    if (code < 400 || code > 599) return false;
    const name = [...wordsOf(path.at(-2) ?? ''), ...own];
    const isSaid = siblings(path, among).some(
      (each) => has(wordsOf(each.path.at(-1) ?? ''), MESSAGES) && each.kind !== 'nothing',
    );
    return ['status', 'http', 'response'].some((word) => name.includes(word)) || isSaid;
  }
  if (typeof value !== 'string' || value.length > 100) return false;
  const words = wordsOf(value);
  if (has(words, BAD) || (words.includes('not') && words.includes('ok'))) return true;
  // `result` is either how an action ended, or holds its records.
  const isJson = /^[[{]/.test(value.trim());
  return own.join(' ') === 'result' && !isJson && !isHealthy(value) && switchOf(value) !== true;
}
