import { type Change, type Compared, MANY, mostFrequent, NEARLY_ALL, type Step } from './compared.ts';
import { numbersStep } from './numbers-step.ts';
import { caseStep, formStep, usualForm, wordStep } from './texts-step.ts';
import { timesStep } from './times-step.ts';
import { traitKind } from './value-traits.ts';

/** The ways in which a server may say the same otherwise. The first that fits is told. */
const STEPS: readonly ((compared: Compared) => Step | undefined)[] = [
  kindStep,
  numbersStep,
  timesStep,
  caseStep,
  formStep,
  wordStep,
];

/**
 * What nearly all records of a column did since the run before, if they all did the same: no event of a day does that.
 * One rule fits all columns, because it ignores what a value is about.
 */
export function meaningChange(compared: Compared, date: string): Change | undefined {
  const steps = STEPS.flatMap((step) => step(compared) ?? []);
  const step = steps.find(({ of, changed, share = NEARLY_ALL }) => of >= MANY && changed >= share * of);
  if (step === undefined) return undefined;
  const { of, changed, share: _, now, before, ...change } = step;
  const since = before === undefined ? `before ${date}` : `; before ${date} they were ${before}`;
  const says = `of ${of} values that were compared, ${changed} are ${now}${before === undefined ? ' ' : ''}${since}`;
  return { ...change, says };
}

/** Values of one kind have become values of another. */
function kindStep({ pairs }: Compared): Step | undefined {
  const [was, is] = [
    mostFrequent(pairs.map((pair) => traitKind(pair.was))),
    mostFrequent(pairs.map((pair) => traitKind(pair.is))),
  ];
  if (was === undefined || is === undefined || was === is) return undefined;
  const changed = pairs.filter((pair) => traitKind(pair.was) === was && traitKind(pair.is) === is);
  const now = `${is}${usualForm(changed.map((pair) => pair.is))}`;
  const before = `${was}${usualForm(changed.map((pair) => pair.was))}`;
  return { kind: 'type', of: pairs.length, changed: changed.length, was, is, now, before };
}
