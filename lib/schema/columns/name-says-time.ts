/**
 * Whether a column's name says that it holds a time; `no` if a word says that it is something else. It is `maybe` if
 * such a word comes before one of time: `ticket_created_at` is a time of a ticket, and `size_at_check` is a size.
 */
export type SaysTime = 'yes' | 'maybe' | 'no' | 'nothing';

const TIME_WORDS = nameWords(
  'date time timestamp ts at since until from last seen created modified updated changed expired expires expiry check access',
);

/** Words for things that are not times, in the singular; `LastBackupSize` is a size. */
const OTHER_WORDS = nameWords(
  'size byte count sum number id phone ticket version firmware build revision serial duration',
);

/** What the name of a column, in snake_case, says. */
export function nameSaysTime(name: string): SaysTime {
  // The number of a name that occurs twice says nothing.
  const all = name.split('_').filter((word) => !/^\d*$/.test(word));
  // `last_seen_ms` says in which unit a time is counted; `ms` alone says nothing.
  const words = all.length > 1 && all.at(-1) === 'ms' ? all.slice(0, -1) : all;
  const isOther = words.some((word) => OTHER_WORDS.has(word) || OTHER_WORDS.has(word.replace(/s$/, '')));
  const isTime = words.some((word) => TIME_WORDS.has(word));
  if (!isOther) return isTime ? 'yes' : 'nothing';
  return isTime && TIME_WORDS.has(words.at(-1) ?? '') ? 'maybe' : 'no';
}

function nameWords(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
