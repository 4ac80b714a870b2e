import { wordsOf } from './words.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words for what went wrong, or what may be missing. */
export const FAULTS = set(
  'error errors err fault faults exception exceptions failure failures failed fail warning warnings warn aborted',
);

/** Texts that say that nothing is wrong. */
const HEALTHY = set(
  'none no ok success successful succeeded null nil n/a na false 0 200 done complete completed',
);

/** The words of a sentence that says no more than that the call went well: `Players retrieved successfully`. */
const WENT_WELL = set(
  'ok success successful successfully succeeded complete completed the is are was were has have been and your all request call query operation command response data list listing item items result results record records player players screen screens group groups license licenses storage storages slot slots retrieved fetched loaded found returned read processed executed accepted',
);
const SUCCESS = set('ok success successful successfully succeeded');

/** True for a text that says that nothing is wrong: `OK`, `none`, `No errors`, `Request was successful`. */
export function isHealthy(value: unknown): boolean {
  const text = String(value).trim().toLowerCase();
  const words = wordsOf(text);
  const [first, ...rest] = words;
  if (text === '' || HEALTHY.has(text)) return true;
  if (first === 'no' && rest.length > 0) return rest.every((word) => FAULTS.has(word));
  return (
    !/[^\x20-\x7e]/.test(text) &&
    words.some((word) => SUCCESS.has(word)) &&
    words.every((word) => WENT_WELL.has(word))
  );
}
