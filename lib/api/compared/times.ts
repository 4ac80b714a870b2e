import { type AnswerBeside, isIgnored, nameOf } from '../beside/beside.ts';
import { headerOf } from '../headers.ts';

/** Times beside the records by their names, in milliseconds since 1970. */
export type Times = Readonly<Record<string, number>>;

/** `2026-11-25T03:00:00Z`, `Wed, 25 Nov 2026 03:00:00 GMT` */
const TIME = /^(\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?|[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} \d{4} .*)$/;
const LONGEST = 40;
const CHANGED = 'last-modified';

/** The times that stand beside the records: `asOf: "2026-11-25T03:00:00Z"`, and when they were changed last. */
export function timesIn({ headers, beside, ignore }: AnswerBeside): Times {
  const value = headerOf(headers, CHANGED);
  const changed = { path: [CHANGED], isHeader: true, value, isAside: false };
  return Object.fromEntries(
    (value === undefined ? beside : [...beside, changed]).flatMap((said) => {
      const text = typeof said.value === 'string' && !said.isAside ? said.value.trim() : '';
      const time = text.length <= LONGEST && TIME.test(text) ? Date.parse(text) : Number.NaN;
      return Number.isNaN(time) || isIgnored(said, ignore) ? [] : [[nameOf(said), time]];
    }),
  );
}

/** The names of the times that are earlier than they were before: the answer may be an old one. */
export function runBack(before: Times, now: Times): readonly string[] {
  return Object.keys(now).filter((name) => (now[name] ?? 0) < (before[name] ?? Number.NEGATIVE_INFINITY));
}
