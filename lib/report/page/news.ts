import type { ReportData } from '../report-data.ts';
import { SPANS } from '../report-data.ts';
import { h } from './dom.ts';
import { type Formats, NOTHING } from './formats.ts';
import { laggingSource } from './verdict.ts';

/** The day that all sources are compared with, or the first and the last. */
export function daysOf(
  { first, last }: { readonly first: string; readonly last: string },
  { shortDay }: Formats,
) {
  return first === last ? shortDay(first) : `${shortDay(first)} – ${shortDay(last)}`;
}

/** How many of each kind of news there are, since 1, 7 and 30 days. */
export function newsCounts({ news, lagging }: ReportData, formats: Formats): HTMLElement {
  const { t } = formats;
  const told = (span: (typeof SPANS)[number]) => {
    const since = news.since[span];
    return since === undefined
      ? span === '1'
        ? t('a day ago')
        : t('{days} days ago', { days: span })
      : t('since {day}', { day: daysOf(since, formats) });
  };
  return h(
    'div',
    { class: 'card' },
    h(
      'p',
      { class: 'note' },
      t(
        'Two days compared. What had no answer on one of them is no news. “At least” and –: a source’s history is too short, or an answer is missing.',
      ),
    ),
    ...lagging.map((each) => h('p', { class: 'note not-known' }, laggingSource(each, formats))),
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': t('News') },
      h(
        'table',
        { class: 'counts' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col' }, t('News')),
            ...SPANS.map((span) => h('th', { scope: 'col', class: 'figure' }, told(span))),
          ),
        ),
        h(
          'tbody',
          {},
          ...news.kinds.map(({ kind, counts, isLeast, unknown }) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, t(kind)),
              ...SPANS.map((span) => {
                const count = counts[span] ?? null;
                if (count === null) return h('td', { class: 'figure' }, NOTHING);
                const open = unknown[span];
                const band = t('{unknown} not known', { unknown: formats.number(open) });
                return h(
                  'td',
                  { class: 'figure' },
                  isLeast[span] ? h('small', {}, `${t('at least')} `) : null,
                  formats.number(count),
                  open === 0 ? null : h('small', {}, ` (${band})`),
                );
              }),
            ),
          ),
        ),
      ),
    ),
  );
}
