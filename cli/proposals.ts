import { readFile } from 'node:fs/promises';
import { parseConfig } from '#lib/config/parse-config.ts';
import { mergeTrees, type SettingTree, treeOf } from '#lib/config/setting-tree.ts';
import { type ChosenSetting, type WithSetting, withSetting } from '#lib/config/with-setting.ts';
import { UsageError } from '#lib/errors.ts';
import type { Question } from '#lib/sources/question.ts';
import type { ResourceName } from '#lib/sources/resources.ts';
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

/** The proposed settings of each source, as the config has them. */
export function fragmentsOf(proposals: readonly Proposal[]): SettingTree {
  return mergeTrees(
    proposals.map(({ source, setting, value }) => ({ [source]: treeOf({ [setting]: value }) })),
  );
}

/**
 * Writes all proposals into the config's file, or none, and leaves the rest as it was. Returns what it wrote.
 * Throws CONFIG_CHANGED if the file has changed since the check.
 */
export async function writeProposals(
  checked: WrittenConfig,
  proposals: readonly Proposal[],
): Promise<readonly Change[]> {
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
