import { GROUP_KEYS, type GroupFigures, type ReportData, TREND_KEYS, type TrendKey } from '../report-data.ts';
import { h } from './dom.ts';
import type { Formats } from './formats.ts';

/** What the reader looks at: a value of a group. */
export interface Choice {
  readonly by: string;
  readonly value: string | null;
  /** The page's figures, only for that value. */
  readonly data: ReportData;
}

/** For each group a field in which a value is searched, such as a city; null without a group. Empty fields mean all. */
export function groupChoice(
  data: ReportData,
  { t }: Formats,
  onChoose: (choice: Choice | undefined) => void,
): HTMLElement | null {
  if (data.groups.length === 0) return null;
  const inputs: HTMLInputElement[] = [];
  let all: Promise<readonly (readonly GroupFigures[])[]> | undefined;
  let isCut = false;
  const choose = async (group: number) => {
    const { by = '', values = [] } = data.groups[group] ?? {};
    const wanted = inputs[group]?.value ?? '';
    const names = values.map((value) => value ?? t('(none)'));
    const index = placeOf(wanted, names);
    if (index < 0) {
      if (isCut && wanted.trim() === '') onChoose(undefined);
      isCut &&= wanted.trim() !== '';
      return;
    }
    for (const other of inputs) if (other !== inputs[group]) other.value = '';
    all ??= packedFigures();
    const figures = (await all)[group]?.[index];
    if (figures === undefined) return;
    isCut = true;
    const compared = data.groups[group]?.compared[index] ?? null;
    const stuck = data.groups[group]?.stuck[index] ?? 0;
    onChoose({ by, value: values[index] ?? null, data: { ...cutTo(data, figures), compared, stuck } });
  };
  const fields = data.groups.map(({ label, values, total }, group) => {
    const input = h('input', {
      id: `group-${group}`,
      list: `values-${group}`,
      placeholder: t('all'),
      autocomplete: 'off',
      oninput: () => void choose(group),
    }) as HTMLInputElement;
    inputs.push(input);
    const name =
      values.length < total ? t('{label}, the {count} largest', { label, count: values.length }) : label;
    return h(
      'span',
      h('label', { for: `group-${group}` }, name),
      input,
      h(
        'datalist',
        { id: `values-${group}` },
        ...values.map((value) => h('option', { value: value ?? t('(none)') })),
      ),
    );
  });
  return h('p.choice', ...fields);
}

/** The value that is wanted as it is, or else one that differs from it in outer spaces alone. */
function placeOf(wanted: string, values: readonly string[]): number {
  const place = values.indexOf(wanted);
  return place < 0 ? values.findIndex((value) => value.trim() === wanted.trim()) : place;
}

/** The figures of all values, which are packed next to the page's data. */
async function packedFigures(): Promise<readonly (readonly GroupFigures[])[]> {
  const packed = document.getElementById('groups')?.textContent ?? '';
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

/** The page's figures, only for a value of a group. Figures without a group, such as licences and news, are left out. */
function cutTo(data: ReportData, figures: GroupFigures): ReportData {
  const { trend } = data;
  const none = trend.dates.map(() => null);
  const isGroups = (key: TrendKey): key is keyof GroupFigures => GROUP_KEYS.some((each) => each === key);
  const series = Object.fromEntries(TREND_KEYS.map((key) => [key, isGroups(key) ? figures[key] : none]));
  return {
    ...data,
    closed: undefined,
    news: { since: {}, players: null, kinds: [] },
    trend: { ...trend, series: series as ReportData['trend']['series'] },
  };
}
