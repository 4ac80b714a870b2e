import type { Said } from './beside.ts';
import { isHealthy } from './healthy.ts';
import { isIdle, isIdleAlways, isSilentList, isSilentText } from './idle-words.ts';
import { isOfTotal } from './page-roles.ts';
import { kindOfValue, switchOf, wholeNumberOf } from './said-value.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words for how the call ended: `status`, `resultState`. */
const ENDS = set('status state result outcome phase progress');
/** Words for what explains it, where one word is enough to tell a failure: `reason: "asleep"`. */
const EXPLAINS = set('message messages msg reason info detail details remark remarks note notes notice hint');
/** Last words of a name that says which message it is, and not what it says: `messageId`. */
const IDS = set('id uuid guid');
/** The words of a name whose number is how the call ended: `statusCode`. */
const OF_CODE = set('status state result outcome code http response api');
/** Codes of success. */
const WENT_WELL: ReadonlySet<number> = new Set([0, 1, 200]);
const COLUMNS = set('columns fields');
/** So many words under the name of a duration or a quota are a sentence. */
const SENTENCE = 3;

/**
 * Whether a member may tell that records are missing, of which no word is known: a text (`fehler: "Knoten 3 antwortet
 * nicht"`), a list (`incomplete: ["node3"]`), a state (`status: "in_progress"`, `status: 206`), a total that is no number
 * (`total: "40+"`), a part of a whole (`sampleRate: 0.75`, `loaded: "72%"`). Not one whose value says
 * that all is well, nor one whose name is known to speak of something else (`copyright`). `own` has the words of its name.
 */
export function isTold({ value, isAside }: Said, own: readonly string[]): boolean {
  if (isAside) return false;
  const has = (words: ReadonlySet<string>): boolean => own.some((word) => words.has(word));
  const isOfEnd = has(ENDS) && !own.includes('cache');
  switch (kindOfValue(value)) {
    case 'list':
      return !isSilentList(own);
    case 'text':
      return !isHealthy(value) && !isSilentText(own) && !isShortIdle(own, String(value));
    case 'token':
      if (isOfTotal(own) && /\d/.test(String(value))) return true;
      return (isOfEnd || has(EXPLAINS)) && !IDS.has(own.at(-1) ?? '') && !isHealthy(value);
    case 'count': {
      const isCode = own.length > 0 && own.every((word) => OF_CODE.has(word) || word === 'x');
      return isCode && !WENT_WELL.has(wholeNumberOf(value) ?? 0);
    }
    case 'plain':
      return isPartOfAll(value) && !isIdleShare(own);
    case 'flag':
      return isOfEnd && own.every((word) => ENDS.has(word)) && switchOf(value) === false;
    default:
      return false;
  }
}

/** True between 0 and 1, and between 0 and 100 %. */
function isPartOfAll(value: unknown): boolean {
  const [, number = '', percent] = /^(\d+(?:[.,]\d+)?|[.,]\d+)\s*(%?)$/.exec(String(value).trim()) ?? [];
  const part = number === '' ? 0 : Number(number.replace(',', '.')) / (percent === '%' ? 100 : 1);
  return part > 0 && part < 1;
}

/** True for the name of a duration, a version or a score. How many calls are allowed is no part of a whole. */
function isIdleShare(own: readonly string[]): boolean {
  const isCounted = isIdleAlways(own) && own.at(-1) !== 'rate';
  return isCounted || isIdle(own, { isAddress: false, mayLead: false });
}

/** True for a list whose values stand in the list of the columns too: `primary_keys: ["id"]` beside `columns`. */
export function namesColumns({ value }: Said, beside: readonly Said[]): boolean {
  if (!Array.isArray(value)) return false;
  const columns = beside.flatMap(({ path, value: list, isAside }) =>
    (isAside || COLUMNS.has(path.at(-1)?.toLowerCase() ?? '')) && Array.isArray(list) ? list : [],
  );
  return columns.length > 0 && value.every((each) => columns.includes(each));
}

/** `took: "12 ms"` */
function isShortIdle(own: readonly string[], text: string): boolean {
  return isIdleAlways(own) && text.split(/\P{L}+/u).filter((word) => word.length > 1).length < SENTENCE;
}
