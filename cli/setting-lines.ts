import type { Question } from '#lib/sources/question.ts';
import type * as Terminal from './ask-terminal.ts';
import type { Proposal } from './proposals.ts';

/**
 * The settings for a question, each as a line with its place in the config and its condition. `names` are those of the
 * config's sources, in their order. Example:
 * `sources[0].resources.players.complete: true, if 100 is the right number today`.
 */
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
