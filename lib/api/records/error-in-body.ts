import { besideOf, nameOf, type Said } from '../beside/beside.ts';
import { FAULTS, isHealthy } from '../beside/healthy.ts';
import { isIdleAlways } from '../beside/idle-words.ts';
import { isCut } from '../beside/page-roles.ts';
import { switchOf, wholeNumberOf } from '../beside/said-value.ts';
import { wordsOf } from '../beside/words.ts';
import type { Body } from '../body/body.ts';
import type { HeaderFields } from '../headers.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words for success. */
const SUCCESSES = set('success succeeded ok');
/** Words for how the call ended. */
const ENDS = set('status state result outcome code');
/** Values of a status that mean failure. */
const BAD = set(
  'error errors fail failed failure nok ko err fault exception timeout unavailable denied rejected degraded aborted partial incomplete',
);
/** Members that describe an error in words, beside a status code. */
const MESSAGES = set('message msg detail details reason description text title');

/** Those of them that no record is called by. */
const SAYINGS = set('message msg reason');

/** Gives the name of the member or header that tells a failure; null if nothing does. */
export type FaultIn = (answer: {
  readonly headers: HeaderFields;
  readonly body: Body | null;
}) => string | null;

/** Finds the failure that an answer tells, without knowing where its records are. */
export const faultInAnswer: FaultIn = ({ headers, body }) => {
  const fault = faultAmong(besideOf({ headers, body, place: null }));
  return fault === null ? null : nameOf(fault);
};

/**
 * The member or header by which an answer with status 200 tells that it is an error or not whole: `result: "error"`,
 * `meta.status.code: 500`, `_shards.failed: 1`, an `error` that is not empty. Null if nothing does.
 */
export function faultAmong(said: readonly Said[]): Said | null {
  return said.find((each) => isFault(each, said)) ?? null;
}

/**
 * True for a member that tells a failure, or belongs to one: what is in an object that is named like an error, the code of it, its
 * text, its time. Where a word of a state alone tells it, a text beside may be that of a record: `status: "error", title: "HDMI 2"`.
 */
export function isAboutFault(said: Said, among: readonly Said[]): boolean {
  if (isFault(said, among)) return true;
  const words = said.path.map(wordsOf);
  if (words.some((each) => mayTellFault(each))) return true;
  const own = words.at(-1) ?? [];
  if (has(own, ENDS) || isIdleAlways(own)) return true;
  const isPlain = among.some(({ path }) => mayTellFault(wordsOf(path[0] ?? '')));
  return has(own, MESSAGES) && (isPlain || typeof said.value !== 'string' || has(own, SAYINGS));
}

/** True for the words of a name by which an error is told: `error`, `succeeded`; those of a status need a value that is one. */
export function mayTellFault(words: readonly string[]): boolean {
  return has(words, FAULTS) || (has(words, SUCCESSES) && words.length <= 2);
}

function isFault(said: Said, among: readonly Said[]): boolean {
  const { path, value } = said;
  const own = wordsOf(path.at(-1) ?? '');
  const holders = path.slice(0, -1).map(wordsOf);
  if (isCut(own)) return saysCut(value);
  // A number is the length of a timeout.
  if (own.includes('timeout') || own.join(' ').includes('timed out'))
    return switchOf(value) === true && wholeNumberOf(value) === undefined;
  if (has(own, FAULTS)) return speaks(said, among);
  if (has(own, SUCCESSES) && own.length <= 2) return switchOf(value) === false;
  // The members of an error belong to it; `{"error": {"code": 0}}` is no error.
  if (holders.some((words) => has(words, FAULTS) && words.length <= 2)) return isBadInside(said, among);
  return has(own, ENDS) && isBadEnd(said, { own, among });
}

/** `partial: true`, `incomplete: ["node3"]`, `degraded: "cluster b"`. */
function saysCut(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  const is = switchOf(value);
  return is ?? (typeof value === 'string' && !isHealthy(value));
}

function has(words: readonly string[], some: ReadonlySet<string>): boolean {
  return words.some((word) => some.has(word));
}

/** True if a member that is named like an error tells one: not if it is empty, 0, false or "none". */
function speaks({ path, value }: Said, among: readonly Said[]): boolean {
  if (value === null || value === undefined || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object') return false;
  if (isHealthy(value)) return false;
  const count = wholeNumberOf(value);
  // A code of success beside its message: `errorCode: 200`.
  if (count !== undefined && count >= 200 && count < 300) return false;
  const isText = wordsOf(path.at(-1) ?? '').some((word) => MESSAGES.has(word));
  return !isText || !hasHealthyCode(path, among);
}

/** True if a member of an object that is named like an error tells one. */
function isBadInside({ path, value }: Said, among: readonly Said[]): boolean {
  if (value === null || value === '' || value === false || isHealthy(value)) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object') return false;
  return !hasHealthyCode(path, among);
}

/** True if a code beside a member means success. */
function hasHealthyCode(path: readonly string[], among: readonly Said[]): boolean {
  return among.some(({ path: other, value }) => {
    const isBeside =
      other.length === path.length && other.slice(0, -1).every((name, index) => name === path[index]);
    if (!isBeside || !wordsOf(other.at(-1) ?? '').includes('code')) return false;
    const count = wholeNumberOf(value);
    return count === 0 || (count !== undefined && count >= 200 && count < 300);
  });
}

/** True for `status: "NOK"`, `result: "asynchronous"`, `statusCode: 500`. */
function isBadEnd(
  { path, value }: Said,
  { own, among }: { readonly own: readonly string[]; readonly among: readonly Said[] },
): boolean {
  const code = wholeNumberOf(value);
  if (code !== undefined) {
    if (code < 400 || code > 599) return false;
    const name = [...wordsOf(path.at(-2) ?? ''), ...own];
    return has(name, set('status http response')) || hasMessage(path, among);
  }
  if (typeof value !== 'string' || value.length > 100) return false;
  const words = wordsOf(value);
  if (has(words, BAD) || (words.includes('not') && words.includes('ok'))) return true;
  // `result` is either how an action ended, or holds its records.
  const isJson = /^[[{]/.test(value.trim());
  return own.join(' ') === 'result' && !isJson && !isHealthy(value) && switchOf(value) !== true;
}

function hasMessage(path: readonly string[], among: readonly Said[]): boolean {
  return among.some(({ path: other, value }) => {
    const isBeside =
      other.length === path.length && other.slice(0, -1).every((name, index) => name === path[index]);
    return isBeside && wordsOf(other.at(-1) ?? '').some((word) => MESSAGES.has(word)) && speaksText(value);
  });
}

function speaksText(value: unknown): boolean {
  return typeof value === 'string' ? value !== '' : typeof value === 'object' && value !== null;
}
