import type { Question } from '#lib/sources/question.ts';
import type { Asking } from './ask-terminal.ts';
import type { Proposal } from './proposals.ts';
import { type SourceNames, settingLines } from './setting-lines.ts';

/** Asks yes or no for each setting of a question that only a person can know. The first yes answers the question. */
export async function askedSettings(
  questions: readonly Question[],
  { asking, names }: { readonly asking: Asking; readonly names: SourceNames },
): Promise<readonly Proposal[]> {
  const answers: Proposal[] = [];
  for (const { source, resource, says, cures } of questions)
    for (const cure of cures) {
      const { setting, choices, when } = cure;
      const [value] = choices;
      if (value === undefined || choices.length > 1 || when === undefined) continue;
      const [line = ''] = settingLines({ source, cures: [{ setting, choices }] }, names);
      const message = `${source} ${resource}: ${says}. Is this true: ${when}? "Yes" writes ${line}`;
      if ((await asking.select(message, ['no', 'yes'])) === 'no') continue;
      answers.push({ source, resource, setting, value, why: `somebody said so: ${when}` });
      break;
    }
  return answers;
}
