import { mergeTrees, type SettingTree, treeOf } from '#lib/config/setting-tree.ts';
import { type ChosenSetting, type WithSetting, withSetting } from '#lib/config/with-setting.ts';
import type { Question } from '#lib/sources/question.ts';
import type { ResourceName } from '#lib/sources/resources.ts';

/** A setting that the answers of a source speak for. */
export interface Proposal extends ChosenSetting {
  /** The listing whose answer speaks for it. */
  readonly resource: ResourceName;
  /** What was seen: a sentence without full stop. */
  readonly why: string;
}

/** A proposal that was written into the text of a config: where, and what stood there before. */
export type Change = Omit<Proposal, 'value'> & Omit<WithSetting, 'text'>;

/** The settings that questions propose. A question that only the operator can answer proposes nothing. */
export function proposalsOf(questions: readonly Question[]): readonly Proposal[] {
  return questions.flatMap(({ source, resource, says, cures }) =>
    cures.flatMap(({ setting, choices: [value], isLikely }) =>
      isLikely === true && value !== undefined ? [{ source, resource, setting, value, why: says }] : [],
    ),
  );
}

/** The first proposal for each setting of a source. */
export function firstOfEach(proposals: readonly Proposal[]): readonly Proposal[] {
  return [...Map.groupBy(proposals, placeOf).values()].flatMap((same) => same.slice(0, 1));
}

/** True if both are about the same setting of the same source. */
export function isSamePlace(one: Pick<Proposal, 'source' | 'setting'>, other: typeof one): boolean {
  return placeOf(one) === placeOf(other);
}

function placeOf({ source, setting }: Pick<Proposal, 'source' | 'setting'>): string {
  return `${source} ${setting}`;
}

/** The text of a config with the proposals written into it, and what each of them changed. */
export function withProposals(
  text: string,
  proposals: readonly Proposal[],
): { readonly text: string; readonly changes: readonly Change[] } {
  let now = text;
  const changes = proposals.map((proposal) => {
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
