import type { ChartSpec } from './chart-spec.ts';
import { h } from './dom.ts';
import type { Formats } from './formats.ts';

/** The figures of a chart as a table. */
export function figures(
  { title, labels, labelsAre, series, kind }: ChartSpec,
  formats: Formats,
): HTMLElement {
  const rows = labels.map((name, index) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, labelsAre === 'days' ? formats.day(name) : name),
      ...series.map((each) =>
        h('td', { class: 'figure' }, formats.cell(each.values[index] ?? null, each.kind ?? kind)),
      ),
    ),
  );
  return h(
    'div',
    {
      class: 'scroll',
      tabindex: 0,
      role: 'group',
      'aria-label': formats.t('Figures of {title}', { title: formats.t(title) }),
    },
    h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, formats.t(labelsAre === 'days' ? 'Day' : 'Source')),
          ...series.map(({ name }) => h('th', { scope: 'col', class: 'figure' }, formats.t(name))),
        ),
      ),
      h('tbody', {}, ...(labelsAre === 'days' ? rows.reverse() : rows)),
    ),
  );
}
