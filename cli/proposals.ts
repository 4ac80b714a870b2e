import { readFile } from 'node:fs/promises';
import { parseConfig } from '#lib/config/parse-config.ts';
import { mergeTrees, treeOf } from '#lib/config/setting-tree.ts';
import { type ChosenSetting, type WithSetting, withSetting } from '#lib/config/with-setting.ts';
import { UsageError } from '#lib/errors.ts';
import type { Question } from '#lib/sources/question.ts';
import type { ResourceName } from '#lib/sources/resources.ts';
import type * as Terminal from './ask-terminal.ts';
import { replaceFile } from './named-files.ts';

export interface WrittenConfig {
  readonly text: string;
  readonly file: string;
}

/** A setting that the answers of a source support. */
export interface Proposal extends ChosenSetting {
  /** The listing with the answer that supports it. */
  readonly resource: ResourceName;
  /** What was seen: a sentence without full stop. */
  readonly why: string;
}

/** A proposal in the text of a config: its place, and the value before. */
export type Change = Omit<Proposal, 'value'> & Omit<WithSetting, 'text'>;

/** The settings that questions propose: the likely ones, and styles of pages. The operator decides the rest. */
export function proposalsOf(questions: readonly Question[]): readonly Proposal[] {
  return questions.flatMap(({ source, resource, says, cures }) =>
    cures.flatMap(({ setting, choices: [value], isLikely }) => {
      const isStyle = setting.endsWith('.paging') && value !== 'none';
      const isProposed = value !== undefined && (isLikely || isStyle);
      return isProposed ? [{ source, resource, setting, value, why: says }] : [];
    }),
  );
}

/** The proposed settings of each source, as the config has them. */
export function fragmentsOf(proposals: readonly Proposal[]) {
  return mergeTrees(
    proposals.map(({ source, setting, value }) => ({ [source]: treeOf({ [setting]: value }) })),
  );
}

/** The text of a config with the proposals in it, and what each of them changed. */
export function withProposals(text: string, proposals: readonly Proposal[]) {
  let now = text;
  const changes = proposals.map((proposal): Change => {
    const { text: after, ...change } = withSetting(now, proposal);
    now = after;
    return { ...proposal, ...change };
  });
  return { text: now, changes };
}

/** Writes all proposals into the config, or none. Throws CONFIG_CHANGED if its file has changed since the check. */
export async function writeProposals(checked: WrittenConfig, proposals: readonly Proposal[]) {
  if (proposals.length === 0) return [];
  if ((await readFile(checked.file, 'utf8')) !== checked.text)
    throw new UsageError(
      `${checked.file} was changed while it was checked, so nothing was written: run check --write again.`,
      'CONFIG_CHANGED',
    );
  const { text, changes } = withProposals(checked.text, proposals);
  parseConfig(text, checked.file);
  await replaceFile(checked.file, text);
  return changes;
}

/** Each setting with its place: `sources[0].resources.players.complete: true, if 100 is the right number today`. */
export function settingLines(
  { source, cures }: Pick<Question, 'source' | 'cures'>,
  names: readonly string[],
): readonly string[] {
  const index = names.indexOf(source);
  const place = index === -1 ? `source ${source}: ` : `sources[${index}].`;
  return cures.map(({ setting, choices, open, when }) => {
    const values = choices.map((choice) => JSON.stringify(choice));
    if (open !== undefined) values.push(`<${open}>`);
    const value = values.join(' or ') || '<what is right>';
    return `${place}${setting}: ${value}${when === undefined ? '' : `, if ${when}`}`;
  });
}

/** Asks yes or no for each setting of a question that only a person can know. The first yes answers the question. */
export async function askedSettings(
  questions: readonly Question[],
  { asking, names }: { readonly asking: typeof Terminal; readonly names: readonly string[] },
): Promise<readonly Proposal[]> {
  const answers: Proposal[] = [];
  for (const { source, resource, says, cures } of questions)
    for (const { setting, choices, when } of cures) {
      const [value] = choices;
      if (value === undefined || choices.length > 1 || when === undefined) continue;
      const [line = ''] = settingLines({ source, cures: [{ setting, choices }] }, names);
      const message = `${source} ${resource}: ${says}. Is this true: ${when}? "Yes" writes ${line}`;
      if ((await asking.askChoice(message, ['no', 'yes'])) === 'no') continue;
      answers.push({ source, resource, setting, value, why: `somebody said so: ${when}` });
      break;
    }
  return answers;
}
