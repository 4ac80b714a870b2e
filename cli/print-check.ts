import { type Envelope, parseEnvelope } from '#lib/api/dialect.ts';
import type { Check } from './check-sources.ts';
import type { Checked } from './checked.ts';
import type { SuggestedSettings } from './suggested-settings.ts';
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

/** What `check` found, for a person: a line a listing, what does not work, what is to be decided, what to write. */
export function printCheck({ listings: checked, settings }: Check, configFile: string): void {
  const say = (text: string) => process.stdout.write(`${text}\n`);
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
  say(textTable(HEAD, rows));
  const failed = checked.filter(({ ok }) => !ok);
  for (const [message, same] of Map.groupBy(failed, textOfFailure))
    say(`\n${same.map(({ source, resource }) => `${source} ${resource}`).join(', ')}: ${message}`);
  const questions = questionsOf(checked);
  if (questions.length > 0) say(`\nTo decide:\n${questions.map((question) => `  ${question}`).join('\n')}`);
  for (const note of checked.flatMap(({ notes }) => notes)) say(`\nNote: ${note}`);
  for (const text of settingTexts(settings, configFile)) say(`\n${text}`);
  say(`\n${conclusion(checked, questions.length)}`);
}

/** Of listings with a parent a few are asked for: all of them have to answer. */
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

/** Columns by the way that they are read. */
function timesText(timestamps: Checked['timestamps']): string {
  const byFormat = Map.groupBy(Object.entries(timestamps), ([, format]) => format);
  return [...byFormat]
    .map(([format, same]) => `${same.map(([name]) => name).join(', ')} (${format})`)
    .join('; ');
}

function textOfFailure({ message, outcome }: Checked): string {
  return message === '' || message === null ? `the answer is ${outcome}` : message;
}

/** The same question about several columns is one. */
function questionsOf(checked: readonly Checked[]): readonly string[] {
  const asked = checked.flatMap(({ questions }) => questions.map(splitQuestion));
  return [...Map.groupBy(asked, ({ text }) => text)].map(([text, same]) => {
    const columns = [...new Set(same.flatMap(({ column }) => column ?? []))];
    return columns.length === 0 ? text : `${text}\n    (${columns.join(', ')})`;
  });
}

/** A question begins with its column: `players.created: …`. */
function splitQuestion(question: string): { readonly column?: string; readonly text: string } {
  const match = /^(\w+\.\w+): (.*)$/s.exec(question);
  const [, column, text] = match ?? [];
  if (column === undefined || text === undefined) return { text: question };
  return { column, text: `${text.charAt(0).toUpperCase()}${text.slice(1)}` };
}

function settingTexts(settings: SuggestedSettings, configFile: string): readonly string[] {
  return Object.entries(settings).map(([source, fragment]) => {
    const lines = JSON.stringify(fragment, null, 2).split('\n').slice(1, -1);
    return `To be written into source "${source}" of ${configFile}, with your values where there is a choice:\n${lines.join('\n')}`;
  });
}

function conclusion(checked: readonly Checked[], questions: number): string {
  const failed = checked.filter(({ ok }) => !ok).length;
  if (failed > 0)
    return `${failed} of ${checked.length} listings do not answer as they should: mend what is named above, then check again.`;
  if (questions > 0)
    return 'Every listing answers. What is to be decided stays text until it is: a run loses nothing, and a later decision is applied to its days too. Next: run';
  return 'Every listing answers. Next: run';
}
