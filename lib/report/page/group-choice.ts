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

/** A choice of all, or of a value of a group, such as a city; null without a group. */
export function groupChoice(
  data: ReportData,
  { t }: Formats,
  onChoose: (choice: Choice | undefined) => void,
): HTMLElement | null {
  if (data.groups.length === 0) return null;
  const options = data.groups.map(({ label, values, total }, group) =>
    h(
      'optgroup',
      {
        label:
          values.length < total ? t('{label}, the {count} largest', { label, count: values.length }) : label,
      },
      ...values.map((value, index) => h('option', { value: `${group} ${index}` }, value ?? t('(none)'))),
    ),
  );
  const select = h(
    'select',
    { id: 'group' },
    h('option', { value: '' }, t('all')),
    ...options,
  ) as HTMLSelectElement;
  let all: Promise<readonly (readonly GroupFigures[])[]> | undefined;
  select.addEventListener('change', async () => {
    const [group, index] = select.value.split(' ').map(Number);
    if (select.value === '' || group === undefined || index === undefined) {
      onChoose(undefined);
      return;
    }
    all ??= packedFigures();
    const figures = (await all)[group]?.[index];
    const { by = '', values = [] } = data.groups[group] ?? {};
    if (figures === undefined) return;
    onChoose({ by, value: values[index] ?? null, data: { ...data, trend: trendOf(data, figures) } });
  });
  return h(
    'p',
    { class: 'choice' },
    h('label', { for: 'group' }, t('Figures, trends and lists of players of')),
    ' ',
    select,
  );
}

/** The figures of all values, which are packed next to the page's data. */
async function packedFigures(): Promise<readonly (readonly GroupFigures[])[]> {
  const packed = document.getElementById('groups')?.textContent ?? '';
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

/** The trend with a group's figures. Figures without a group, such as licences, are left out. */
function trendOf({ trend }: ReportData, figures: GroupFigures): ReportData['trend'] {
  const none = trend.dates.map(() => null);
  const isGroups = (key: TrendKey): key is keyof GroupFigures => GROUP_KEYS.some((each) => each === key);
  const series = Object.fromEntries(TREND_KEYS.map((key) => [key, isGroups(key) ? figures[key] : none]));
  return { ...trend, series: series as ReportData['trend']['series'] };
}
