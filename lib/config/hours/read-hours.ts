import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { errno } from '../../errors.ts';
import type { OpeningHours } from '../../schema/schema.ts';
import { nearest } from '../../text.ts';
import { zoneFault } from '../../time.ts';

/** They are in the SQL of a view, which Athena takes up to 256 kB of: a line takes up to 60 bytes there. */
const MOST_LINES = 2000;
const MOST_TEXT = 100;
const COLUMNS = ['group', 'weekday', 'from', 'to', 'zone', 'since', 'until'] as const;
const OPTIONAL: readonly string[] = ['zone', 'since', 'until'];
type Column = (typeof COLUMNS)[number];

const DAY_MINUTES = 1440;
/** The days by their names, in English and German; two or three letters of each are enough. */
const DAYS: readonly (readonly string[])[] = [
  ['monday', 'montag'],
  ['tuesday', 'dienstag'],
  ['wednesday', 'mittwoch'],
  ['thursday', 'donnerstag'],
  ['friday', 'freitag'],
  ['saturday', 'samstag'],
  ['sunday', 'sonntag'],
];

/**
 * The opening hours of a CSV file. A line without a zone is in `timeZone`. Each fault is the end of a sentence that begins
 * with the setting: the line, the value and the cure.
 */
export function readHours(file: string, timeZone: string) {
  const refused = (says: string) => ({ hours: [], faults: [`is ${JSON.stringify(file)}, ${says}`] });
  const found = linesOf(file);
  if (typeof found === 'string') return refused(`but ${found}`);
  const [head, ...lines] = found;
  const names = head.cells.map((cell) => cell.toLowerCase());
  const wrong = headFault(names);
  if (wrong !== undefined)
    return refused(`line ${head.number} of which ${wrong}: the columns are ${COLUMNS}`);
  const faults: string[] = [];
  const at = (line: number, says: string) =>
    faults.push(`is ${JSON.stringify(file)}, line ${line} of which ${says}`);
  const read: { readonly line: number; readonly hours: OpeningHours }[] = [];
  for (const line of lines) {
    const hours = lineOf(line, { names, timeZone });
    if (typeof hours === 'string') at(line.number, hours);
    else read.push({ line: line.number, hours });
  }
  for (const [index, { line, hours }] of read.entries()) {
    const other = read.slice(0, index).find((each) => overlap(each.hours, hours));
    if (other === undefined) continue;
    const group = JSON.stringify(hours.group);
    at(line, `opens ${group} while line ${other.line} has it open: write each hour once`);
  }
  return { hours: faults.length > 0 ? [] : read.map(({ hours }) => hours), faults };
}

/** The lines of a file, the head first; or what is wrong with all of it. */
function linesOf(file: string): readonly [CsvLine, ...CsvLine[]] | string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    const code = errno(cause);
    if (code === 'ENOENT') return 'there is no such file: its path begins at the config’s folder';
    return `it ${code === 'EISDIR' ? 'is a folder' : 'cannot be read'}; name a readable CSV file`;
  }
  const text = bytes.toString('utf8');
  if (text.includes('\uFFFD')) return 'it is not in UTF-8; save it as "CSV UTF-8"';
  const [head, ...lines] = csvLines(text);
  if (head === undefined || lines.length === 0)
    return `it has no hours: begin with the line ${COLUMNS.slice(0, 5)}`;
  if (lines.length <= MOST_LINES) return [head, ...lines];
  return `it has ${lines.length} lines of hours: up to ${MOST_LINES} are taken, so write ranges such as Mon-Fri, and * for most places`;
}

function headFault(names: readonly string[]): string | undefined {
  const unknown = names.find(
    (name, index) => !COLUMNS.some((each) => each === name) || names.indexOf(name) < index,
  );
  const meant = unknown && nearest(unknown, COLUMNS);
  if (unknown !== undefined)
    return `names the column ${JSON.stringify(unknown)}${meant === undefined ? '' : `, did you mean ${meant}`}`;
  const missing = COLUMNS.find((name) => !OPTIONAL.includes(name) && !names.includes(name));
  return missing && `lacks the column ${JSON.stringify(missing)}`;
}

/** The hours of a line, or its fault. */
function lineOf(
  { cells, isOpen }: CsvLine,
  { names, timeZone }: { readonly names: readonly string[]; readonly timeZone: string },
): OpeningHours | string {
  if (isOpen) return 'has a quote that never ends: close it, or double it within a text';
  if (cells.length > names.length)
    return `has ${cells.length} cells under ${names.length} columns: put quotes around a text with a comma`;
  const cell = (column: Column) => cells[names.indexOf(column)] ?? '';
  const group = cell('group');
  if (group === '') return 'has no group: write a value of one of the `groups`, or * for all others';
  if (group.length > MOST_TEXT) return `has a group of ${group.length} letters: up to ${MOST_TEXT} are taken`;
  const weekdays = weekdaysOf(cell('weekday'));
  if (weekdays === undefined)
    return `has the weekday ${JSON.stringify(cell('weekday'))}, but must have Mon to Sun, 1 to 7, or a range such as Mon-Fri`;
  const opens = minutesOf(cell('from'));
  if (opens === undefined || opens === DAY_MINUTES)
    return `has from ${JSON.stringify(cell('from'))}, but must have a time such as 09:00`;
  const until = minutesOf(cell('to'));
  if (until === undefined)
    return `has to ${JSON.stringify(cell('to'))}, but must have a time such as 20:00, or 24:00`;
  if (until === opens) return 'opens and closes at the same time: all day is from 00:00 to 24:00';
  const zone = cell('zone') === '' ? timeZone : cell('zone');
  const fault = zoneFault(zone);
  if (fault !== undefined)
    return `has the zone ${JSON.stringify(zone)}, but must have ${fault}, or none for the config’s`;
  const [first, last] = [cell('since'), cell('until')];
  const wrong = [first, last].find((day) => day !== '' && !isDay(day));
  if (wrong !== undefined)
    return `has the day ${JSON.stringify(wrong)}, but must have one such as 2026-11-30`;
  if (last !== '' && last < first) return `ends on ${last}, before it begins: exchange since and until`;
  return {
    ...{ group, weekdays, opens, closes: until > opens ? until : until + DAY_MINUTES, zone },
    ...(first !== '' && { since: first }),
    ...(last !== '' && { until: last }),
  };
}

/** `1` to `7` of a day or a range, such as `12345` of Mon-Fri and `671` of Sat-Mon. */
function weekdaysOf(text: string): string | undefined {
  const ends = text.split(/[-–]/).map((each) => dayOf(each.trim().toLowerCase().replace(/\.$/, '')));
  const [first, last = first] = ends;
  if (ends.length > 2 || first === undefined || last === undefined) return undefined;
  const count = ((last - first + 7) % 7) + 1;
  return Array.from({ length: count }, (_, index) => ((first + index) % 7) + 1).join('');
}

/** 0 = Monday. */
function dayOf(text: string): number | undefined {
  if (/^[1-7]$/.test(text)) return Number(text) - 1;
  if (text.length < 2) return undefined;
  const found = DAYS.findIndex((names) =>
    names.some((name) => name === text || (text.length <= 3 && name.startsWith(text))),
  );
  return found < 0 ? undefined : found;
}

/** True for a day of the calendar, YYYY-MM-DD. */
function isDay(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}

/** Minutes after midnight of HH:MM. */
function minutesOf(text: string): number | undefined {
  const [, hours, minutes] = /^(\d{1,2}):(\d\d)$/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const all = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && all <= DAY_MINUTES ? all : undefined;
}

const WEEK_MINUTES = 7 * DAY_MINUTES;

/** Whether two lines of a group have an hour of the week in common. Between zones the view counts such an hour once. */
function overlap(a: OpeningHours, b: OpeningHours): boolean {
  if (a.group !== b.group || a.zone !== b.zone) return false;
  const endsBefore = ({ until }: OpeningHours, { since }: OpeningHours) =>
    until !== undefined && since !== undefined && until < since;
  if (endsBefore(a, b) || endsBefore(b, a)) return false;
  const spansOf = ({ weekdays, opens, closes }: OpeningHours) =>
    [...weekdays].map((day) => [(Number(day) - 1) * DAY_MINUTES + opens, closes - opens] as const);
  return spansOf(a).some(([from, long]) =>
    spansOf(b).some(([other, otherLong]) => {
      const apart = (((other - from) % WEEK_MINUTES) + WEEK_MINUTES) % WEEK_MINUTES;
      return apart < long || WEEK_MINUTES - apart < otherLong;
    }),
  );
}

/** A line of a CSV file that holds something. */
type CsvLine = ReturnType<typeof csvLines>[number];

/**
 * The lines of a CSV file without its blank ones, each with its number from 1, as an editor counts. They are separated
 * by `,` or `;`, whichever the first line has. No cell holds a line break.
 */
function csvLines(text: string) {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const separator = (lines.find((line) => line.trim() !== '') ?? '').includes(';') ? ';' : ',';
  return lines.flatMap((line, index) => {
    const { cells, isOpen } = cellsOf(line, separator);
    return cells.every((cell) => cell === '') ? [] : [{ number: index + 1, cells, isOpen }];
  });
}

function cellsOf(line: string, separator: string) {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? '';
    if (isQuoted && char === '"' && line[at + 1] === '"') {
      cell += '"';
      at++;
    } else if (char === '"' && (isQuoted || cell.trim() === '')) {
      isQuoted = !isQuoted;
    } else if (char === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else {
      cell += char;
    }
  }
  // Open: a quote never ends.
  return { cells: [...cells, cell.trim()], isOpen: isQuoted };
}
