import { type Envelope, parseEnvelope } from '#lib/api/dialect.ts';
import { type Question, saidWithCures } from '#lib/sources/question.ts';
import { counted } from '#lib/text.ts';
import type { Check } from './check-sources.ts';
import type { Checked } from './checked.ts';
import { type GivenOptions, nextCommand } from './program-name.ts';
import { type Change, fragmentsOf } from './proposals.ts';
import { say, show } from './say.ts';
import { textTable } from './text-table.ts';

const HEAD = [
  'source',
  'listing',
  'answer',
  'records',
  'took',
  'records are',
  'pages',
  'told apart by',
  'times',
];

export interface PrintCheckOptions extends GivenOptions {
  readonly configFile: string;
  /** What `--write` wrote; null without `--write`. */
  readonly changes: readonly Change[] | null;
  /** Whether it ends with what to do next. @default true */
  readonly concludes?: boolean;
}

/** Prints what `check` found: a line for each listing, the failures, the open questions and the proposed settings. */
export function printCheck(check: Check, options: PrintCheckOptions): void {
  const { configFile, changes, concludes = true } = options;
  const { listings: checked } = check;
  const rows = checked.map((each) => [
    each.source,
    each.resource,
    answerText(each),
    String(each.records),
    each.latencyMs === null ? '' : `${Math.round(each.latencyMs)} ms`,
    each.envelope === null ? '' : placeText(each.envelope),
    each.paging === null ? '' : pagesText(each.paging),
    each.key ?? '',
    timesText(each.timestamps),
  ]);
  show(textTable(HEAD, rows, { states: ['answer'] }));
  const failed = checked.filter(({ ok }) => !ok);
  for (const [message, same] of Map.groupBy(failed, textOfFailure))
    say(`\n${same.map(({ source, resource }) => `${source} ${resource}`).join(', ')}: ${message}`);
  const questions = questionsOf(check);
  if (questions.length > 0) say(`\nTo decide:\n${questions.map((question) => `  ${question}`).join('\n')}`);
  const roles = textsOf(check.roles);
  if (roles.length > 0)
    say(`\nFor the views, which say less without it:\n${roles.map((each) => `  ${each}`).join('\n')}`);
  for (const note of checked.flatMap(({ notes }) => notes)) say(`\nNote: ${note}`);
  for (const text of changes === null ? settingTexts(check, configFile) : changeTexts(changes, configFile))
    say(`\n${text}`);
  if (concludes)
    say(
      `\n${conclusion(check, { questions: questions.length, areWritten: changes !== null, given: { ...options, config: configFile } })}`,
    );
}

/** A listing with a parent is asked for a few parents, and each of them has to answer. */
function answerText({ outcome, status, asked, answered }: Checked): string {
  const http = status === null ? '' : ` (HTTP ${status})`;
  return asked > 1
    ? `${answered} of ${asked} ok${answered < asked ? `, ${outcome}${http}` : ''}`
    : `${outcome}${http}`;
}

const PLACES: Readonly<Record<Envelope['form'], string>> = {
  array: 'a list',
  map: 'a map by key',
  record: 'one object',
  rows: 'rows with named columns',
  lines: 'a line for each record',
  text: 'a text of JSON',
};

function placeText(envelope: string): string {
  const place = parseEnvelope(envelope);
  if (place === null) return envelope;
  return place.path.length === 0 ? PLACES[place.form] : `${PLACES[place.form]} in ${place.path.join('.')}`;
}

/** `cursor:marker` → `by cursor (marker)`. */
function pagesText(paging: string): string {
  const [style = '', param] = paging.split(':');
  if (style === 'none') return 'one answer';
  if (style === 'link') return 'by Link header';
  if (style === 'next') return 'by next link';
  return param === undefined ? `by ${style}` : `by ${style} (${param})`;
}

/** `lastSeen, bootedAt (iso); syncedAt (DD.MM.YYYY)`. */
function timesText(timestamps: Checked['timestamps']): string {
  const byFormat = Map.groupBy(Object.entries(timestamps), ([, format]) => format);
  return [...byFormat]
    .map(([format, same]) => `${same.map(([name]) => name).join(', ')} (${format})`)
    .join('; ');
}

function textOfFailure({ message, outcome }: Checked): string {
  return message === '' || message === null ? `the answer is ${outcome}` : message;
}

/** A question about several columns is printed once. The question of a failure is left out: its message says it. */
function questionsOf({ asks, listings }: Check): readonly string[] {
  const messages = new Set(listings.map(({ message }) => message));
  const open = asks.filter(({ says, cures }) => !messages.has(saidWithCures(says, cures)));
  return textsOf(open);
}

function textsOf(questions: readonly Question[]): readonly string[] {
  const same = Map.groupBy(questions, ({ source, says, cures }) => JSON.stringify([source, says, cures]));
  return [...same.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const places = [...new Set([first, ...others].map(whereText))];
    return [`${first.source}: ${saidWithCures(first.says, first.cures)}\n    (${places.join(', ')})`];
  });
}

function whereText({ resource, column }: Question): string {
  return column === undefined ? resource : `${resource}.${column}`;
}

function settingTexts({ proposals }: Check, configFile: string): readonly string[] {
  return Object.entries(fragmentsOf(proposals)).map(([source, fragment]) => {
    const lines = JSON.stringify(fragment, null, 2).split('\n').slice(1, -1);
    return `To be written into source "${source}" of ${configFile}, by hand or with --write:\n${lines.join('\n')}`;
  });
}

/** Says why each setting was written, for the config is JSON and has no place for comments. */
function changeTexts(changes: readonly Change[], configFile: string): readonly string[] {
  if (changes.length === 0) return [`Nothing was written into ${configFile}: no setting is proposed.`];
  const lines = changes.map(({ field, before, value, why }) => {
    const instead = before === undefined ? '' : `, in place of ${JSON.stringify(before)}`;
    return `  ${field} = ${JSON.stringify(value)}${instead}\n    because: ${why}.`;
  });
  return [`Written into ${configFile}:\n${lines.join('\n')}`];
}

interface Found {
  readonly questions: number;
  readonly areWritten: boolean;
  /** Of the command. */
  readonly given: GivenOptions;
}

function conclusion({ listings, proposals }: Check, { questions, areWritten, given }: Found): string {
  const failed = listings.filter(({ ok }) => !ok).length;
  if (failed > 0 && areWritten && proposals.length > 0)
    return `${failed} of ${counted(listings.length, 'listing')} did not answer as ${failed === 1 ? 'it' : 'they'} should: check again with what was written:\n  ${nextCommand(['check', '--write'], given)}`;
  if (failed > 0)
    return `${failed} of ${counted(listings.length, 'listing')} ${failed === 1 ? 'does not answer as it should' : 'do not answer as they should'}: mend what is named above, then check again:\n  ${nextCommand(['check', '--write'], given)}`;
  if (questions > 0)
    return `Every listing answers. An undecided column stays text: a run loses nothing, and a later decision changes its days too. Next:\n  ${nextCommand(['run'], given)}`;
  return `Every listing answers. Next:\n  ${nextCommand(['run'], given)}`;
}
