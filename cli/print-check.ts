import { plainContract } from '#lib/api/contract/plain.ts';
import { type Question, saidWithCures } from '#lib/sources/question.ts';
import { counted } from '#lib/text.ts';
import type { CheckedConfig } from './check-config.ts';
import { statusOf } from './check-sources.ts';
import type { Checked } from './checked.ts';
import { type GivenOptions, nextCommand } from './program-name.ts';
import { type Change, isOfRole, withProposals } from './proposals.ts';
import { say, show } from './say.ts';
import { settingLines } from './setting-lines.ts';
import { textTable } from './text-table.ts';

const HEAD = ['source', 'listing', 'answer', 'records', 'calls', 'took', 'told apart by', 'times'];

/** Prints what was found: a line for each listing, what its answers show, the failures, the open questions and the notes. */
export function printListings(
  { check, names, listings }: CheckedConfig & { readonly listings: readonly Checked[] },
  { roles }: { readonly roles: boolean },
): void {
  const rows = listings.map((each) => [
    each.source,
    each.resource,
    answerText(each),
    String(each.records),
    String(each.calls),
    each.latencyMs === null ? '' : `${Math.round(each.latencyMs)} ms`,
    each.key ?? '',
    timesText(each.timestamps),
  ]);
  show(textTable(HEAD, rows, { states: ['answer'] }));
  say(`\n${counted(check.calls, 'call')}. What the answers show:`);
  const shown = listings.flatMap(({ source, resource, contract }) =>
    contract === null ? [] : [{ place: `${source} ${resource}`, says: plainContract(contract).join(' ') }],
  );
  for (const [says, same] of Map.groupBy(shown, (each) => each.says))
    say(`  ${same.map(({ place }) => place).join(', ')}: ${says}`);
  // A failure that is a question is said with its settings.
  const asked = new Set(check.questions.map(({ says, cures }) => saidWithCures(says, cures)));
  const failed = listings.filter(({ ok, message }) => !ok && !asked.has(message ?? ''));
  for (const [message, same] of Map.groupBy(
    failed,
    (each) => each.message || `the answer is ${each.outcome}`,
  ))
    say(`\n${same.map(({ source, resource }) => `${source} ${resource}`).join(', ')}: ${message}`);
  printQuestions('To decide', check.questions, names);
  if (roles) printQuestions('For the views, which say less without it', check.roles, names);
  const notes = listings.flatMap((each) =>
    each.notes.map(({ says }) => `  ${each.source} ${each.resource}: ${says}.`),
  );
  if (notes.length > 0) say(`\nNotes, which need no answer:\n${notes.join('\n')}`);
}

/** A question about several columns is printed once. */
function printQuestions(title: string, questions: readonly Question[], names: CheckedConfig['names']): void {
  const same = Map.groupBy(questions, (each) =>
    [`${each.says}.`, ...settingLines(each, names)].join('\n    '),
  );
  const texts = [...same].map(([text, all]) => {
    const places = all.map(({ resource, column }) =>
      column === undefined ? resource : `${resource}.${column}`,
    );
    return `  ${all[0]?.source} ${[...new Set(places)].join(', ')}: ${text}`;
  });
  if (texts.length > 0) say(`\n${title}:\n${texts.join('\n')}`);
}

/** A listing with a parent is asked for a few parents, and each of them has to answer. */
function answerText({ outcome, status, asked, answered }: Checked): string {
  const http = status === null ? '' : ` (HTTP ${status})`;
  return asked > 1
    ? `${answered} of ${asked} ok${answered < asked ? `, ${outcome}${http}` : ''}`
    : `${outcome}${http}`;
}

/** `lastSeen, bootedAt (iso); syncedAt (DD.MM.YYYY)`. */
function timesText(timestamps: Checked['timestamps']): string {
  const byFormat = Map.groupBy(Object.entries(timestamps), ([, format]) => format);
  return [...byFormat]
    .map(([format, same]) => `${same.map(([name]) => name).join(', ')} (${format})`)
    .join('; ');
}

export interface PrintSettledOptions extends GivenOptions {
  readonly config: string;
  readonly write: boolean;
  readonly changes: readonly Change[];
  /** The questions that stay open. */
  readonly open: readonly Question[];
}

/** Prints what was written, or is to be written, and what to do next. */
export function printSettled({ check, written }: CheckedConfig, options: PrintSettledOptions): void {
  const { config, write, changes, open } = options;
  const left = write ? [] : withProposals(written.text, check.proposals).changes;
  printChanges(`To be written into ${config}, by hand or with --write`, left);
  printChanges(`Written into ${config}`, changes);
  if (write && changes.length === 0) say(`\nNothing was written into ${config}: no setting is proposed.`);
  const listings = write ? check.settled : check.listings;
  const failed = counted(listings.filter(({ ok }) => !ok).length, 'listing');
  const doubts = counted(listings.filter(({ isInDoubt }) => isInDoubt).length, 'listing');
  const status = statusOf(listings);
  const says = {
    failed: `${failed} did not answer as due: mend what is named above, then check again.`,
    partial: `${doubts} may not be whole: a run publishes what came, removes nothing for it and is partial.`,
    complete: `Every listing answers.${open.length > 0 ? ' What is to be decided loses no rows: a later answer changes its days too.' : ''}`,
  }[status];
  const next = status === 'failed' || left.length > 0 ? ['check', '--write'] : ['run'];
  say(`\n${says}\n\nNext:\n  ${nextCommand(next, options)}`);
}

/** The config is JSON and has no place for comments, so it is said why. Names for views have one line for each table. */
function printChanges(title: string, changes: readonly Change[]): void {
  const settings = changes.filter((each) => !isOfRole(each));
  const lines = settings.map(({ field, before, value, why }) => {
    const instead = before === undefined ? '' : `, in place of ${JSON.stringify(before)}`;
    return `  ${field}: ${JSON.stringify(value)}${instead}\n    because: ${why}.`;
  });
  for (const [table, same] of Map.groupBy(
    changes.filter(isOfRole),
    (each) => `${each.source} ${each.resource}`,
  )) {
    const columns = same.map(({ setting, value }) => [setting.split('.').at(-1), Object(value).as] as const);
    const names = columns.map(([column, as]) =>
      as === undefined ? `the words of ${column}` : `${column} as ${as}`,
    );
    lines.push(`  ${table}, for the views: ${names.join(', ')}`);
  }
  if (lines.length > 0) say(`\n${title}:\n${lines.join('\n')}`);
}
