import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { plainContract } from '#lib/api/contract/plain.ts';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { ExportError, instead, isA } from '#lib/errors.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { readSchema, type Schema } from '#lib/schema/schema.ts';
import { type Question, saidWithCures } from '#lib/sources/question.ts';
import { counted } from '#lib/text.ts';
import { idleTargets } from '#lib/views/idle-targets.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { told } from '#lib/views/sentence.ts';
import { checkSources, checkStatus } from './check-sources.ts';
import { type Checked, isMisfit } from './checked.ts';
import { EXIT } from './exit.ts';
import { localApiServices } from './local-api-services.ts';
import { localServices, openCheckedSecrets, openLake } from './local-services.ts';
import { commandOf, flag, type GlobalOptions, type OptionsOf } from './options.ts';
import { nextCommand } from './program-name.ts';
import {
  askedSettings,
  type Change,
  fragmentsOf,
  settingLines,
  withProposals,
  writeProposals,
} from './proposals.ts';
import { say, show } from './say.ts';
import { textTable } from './text-table.ts';

const OPTIONS = {
  write: flag('write the proposed settings into the config'),
  roles: flag('also say which fields may fill the columns that views ask for'),
};

type Options = OptionsOf<typeof OPTIONS>;

export const addCheck = commandOf(OPTIONS, async (options) => {
  const checked = await checkConfig(options);
  const { listings, changes } = await decide(checked, options);
  if (!options.json) return;
  const { listings: _, settled, ...found } = checked.check;
  const settings = fragmentsOf(found.proposals);
  const written = options.write ? { written: changes } : {};
  say({ listings, ...found, ofLake: checked.ofLake, settings, ...written });
});

/** Says what was found, writes proposals and a person's answers into the config, and sets the exit code. */
export async function decide(checked: CheckedConfig, options: Options) {
  const { check, written, names } = checked;
  const { write, json } = options;
  const listings = write ? check.settled : check.listings;
  if (!json) printFound(checked, listings, options);
  const mayAsk = process.stdin.isTTY && !json && check.questions.length > 0;
  const asking = mayAsk ? await import('./ask-terminal.ts') : undefined;
  const answers = asking === undefined ? [] : await askedSettings(check.questions, { asking, names });
  const changes = await writeProposals(written, [...(write ? check.proposals : []), ...answers]);
  const isOpen = ({ source, cures }: Question) =>
    !answers.some((one) => one.source === source && cures.some(({ setting }) => setting === one.setting));
  if (!json) {
    const left = write ? [] : withProposals(written.text, check.proposals).changes;
    printChanges(options, changes, left);
    printNext(listings, options, { hasOpen: check.questions.some(isOpen), hasLeft: left.length > 0 });
  }
  process.exitCode = EXIT[checkStatus(listings)];
  return { listings, changes };
}

const HEAD = ['source', 'listing', 'answer', 'records', 'calls', 'took', 'told apart by', 'times'];

/** The listings, what their answers show, failures, open questions and notes. */
function printFound(
  { check, names, ofLake }: CheckedConfig,
  listings: readonly Checked[],
  { roles }: Options,
): void {
  const rows = listings.map((each) => [
    ...[each.source, each.resource, answerText(each), String(each.records), String(each.calls)],
    each.latencyMs === null ? '' : `${Math.round(each.latencyMs)} ms`,
    each.key ?? '',
    timesText(each.timestamps),
  ]);
  show(textTable(HEAD, rows, { states: ['answer'] }));
  say(check.calls === 0 ? '\nNo call was answered.' : `\n${counted(check.calls, 'call')}.`);
  const withSettings = (each: Question) => [`${each.says}.`, ...settingLines(each, names)].join('\n    ');
  // A failure that is a question is shown with its settings.
  const asked = new Set(check.questions.map(({ says, cures }) => saidWithCures(says, cures)));
  const failed = listings.filter(({ ok, message }) => !ok && !asked.has(message));
  printSaid('What the answers show', listings, ({ contract }) =>
    contract === null ? undefined : plainContract(contract).join(' '),
  );
  printSaid('What failed', failed, ({ message, outcome }) => message || `the answer is ${outcome}`);
  printSaid('To decide', check.questions, withSettings);
  if (roles) printSaid('For the views, which say less without it', check.roles, withSettings);
  printLines('What the lake says of the config', ofLake);
  const notes = listings.flatMap((each) => each.notes);
  printSaid('Notes, which need no answer', notes, ({ says }) => `${says}.`);
}

/** One line for the same message of more than one listing or column: `berlin players, licenses: …`. */
function printSaid<Each extends Pick<Question, 'source' | 'resource'> & { readonly column?: string }>(
  title: string,
  all: readonly Each[],
  saidOf: (each: Each) => string | undefined,
): void {
  const said = all.map((each) => ({ ...each, text: saidOf(each) })).filter(({ text }) => text !== undefined);
  const same = Map.groupBy(said, ({ source, text }) => JSON.stringify([source, text]));
  const lines = [...same.values()].map((those) => {
    const places = those.map(({ resource, column }) => (column ? `${resource}.${column}` : resource));
    return `${those[0]?.source} ${[...new Set(places)].join(', ')}: ${those[0]?.text}`;
  });
  printLines(title, lines);
}

function printLines(title: string, lines: readonly string[]): void {
  if (lines.length > 0) say(`\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

/** `check` requests a listing with a parent for a few parents, and each of them must answer. */
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

function printChanges({ config, write }: Options, changes: readonly Change[], left: readonly Change[]): void {
  // The config is JSON without comments, so a line has the reason.
  const texts = (all: readonly Change[]) =>
    all.map(({ field, before, value, why }) => {
      const instead = before === undefined ? '' : `, in place of ${JSON.stringify(before)}`;
      return `${field}: ${JSON.stringify(value)}${instead}\n    because: ${why}.`;
    });
  printLines(`To be written into ${config}, by hand or with --write`, texts(left));
  printLines(`Written into ${config}`, texts(changes));
  if (write && changes.length === 0) say(`\nNothing was written into ${config}: no setting is proposed.`);
}

function printNext(
  listings: readonly Checked[],
  options: Options,
  { hasOpen, hasLeft }: { readonly hasOpen: boolean; readonly hasLeft: boolean },
): void {
  const status = checkStatus(listings);
  const failed = listings.filter(({ ok }) => !ok).length;
  const unfit = listings.flatMap(({ questions }) => questions.filter(isMisfit)).length;
  const doubts = listings.filter(({ isInDoubt }) => isInDoubt).length;
  const wrong =
    failed > 0
      ? `${counted(failed, 'listing')} did not answer as expected`
      : `The values of ${counted(unfit, 'column')} do not fit`;
  const says = {
    failed: `${wrong}. Fix the problem above, then check again.`,
    partial: `${counted(doubts, 'listing')} may be incomplete: a run publishes the records that came, removes none, and ends as partial.`,
    complete: `Every listing answers.${hasOpen ? ' Open questions lose no rows: a later answer changes the earlier days too.' : ''}`,
  }[status];
  const next = hasLeft ? ['check', '--write'] : status === 'failed' ? ['check'] : ['run'];
  say(`\n${says}\n\nNext:\n  ${nextCommand(next, options)}`);
}

export type CheckedConfig = Awaited<ReturnType<typeof checkConfig>>;

/** Calls every listing of the config. Throws UsageError if a secret is missing. `names` are those of its sources. */
export async function checkConfig(options: Pick<GlobalOptions, 'config' | 'secrets' | 'lake'>) {
  const config = await readConfig(options.config);
  const written = { file: options.config, text: await readFile(options.config, 'utf8') };
  const secrets = await openCheckedSecrets(options.secrets, config);
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-check-'));
  try {
    await using services = localApiServices(localServices(folderLake(folder)), secrets);
    const lake = await openLake(options.lake);
    const schema = await readHead(lake)
      .then((stored) => stored && readSchema(lake, stored.head.schema))
      .catch(ifUnreadable);
    const check = await checkSources(written, services, schema);
    const ofLake = (await saidOfTargets(lake, config, schema).catch(ifUnreadable)) ?? [];
    return { check, ofLake, written, names: config.sources.map(({ name }) => name) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Of a lake that cannot be read: it is nothing that the config says. */
const ifUnreadable = instead(isA(ExportError), undefined);

/** The targets that hold for nobody. Which groups there are is known if the last run had the config's groups. */
async function saidOfTargets(lake: Lake, { targets, groups }: Config, schema: Schema | undefined) {
  if (targets === undefined || schema === undefined || !isDeepStrictEqual(schema.groups, groups)) return [];
  using tables = await openTables(lake, { sql: 'select * from player_groups_daily' });
  return (await idleTargets(tables, targets)).map((sentence) => told(sentence));
}
