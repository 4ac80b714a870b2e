import { type ColumnType, isNumeric } from '../../column-types.ts';
import { type NamedPath, pathText } from '../../schema/columns/assign-names.ts';
import type { Trait } from '../../schema/columns/sampled.ts';
import type { SourceObserved } from '../observe-sources.ts';
import { formIn } from './value-traits.ts';

const EXAMPLES = 3;

/** How a source writes some values that lack the type, the most frequent first. Empty for masked values. */
export function misfitForms(
  paths: readonly NamedPath[],
  of: { readonly source: string; readonly type: ColumnType; readonly observed: readonly SourceObserved[] },
): readonly string[] {
  const { source, type, observed } = of;
  const sampled = observed.find((each) => each.source === source)?.sampled;
  const traits = paths
    .filter((path) => path.source === source)
    .flatMap(({ path }) => sampled?.traits[pathText(path)] ?? []);
  const forms = traits.filter((trait) => trait !== null && !mayHave(type, trait)).map(shownForm);
  const byForm = [...Map.groupBy(forms, (form) => form)].toSorted(([, a], [, b]) => b.length - a.length);
  return byForm.slice(0, EXAMPLES).map(([form]) => form);
}

function mayHave(type: ColumnType, trait: NonNullable<Trait>): boolean {
  if (isNumeric(type)) return typeof trait === 'number' || /^-?9+(\.9+)?$/.test(formIn(trait) ?? '');
  return type === 'boolean' ? typeof trait === 'boolean' : false;
}

function shownForm(trait: Trait): string {
  if (trait === '[') return '[…]';
  if (trait === '{') return '{…}';
  return formIn(trait) ?? String(trait).replace(/\d/g, '9');
}
