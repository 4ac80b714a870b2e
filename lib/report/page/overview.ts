import { type Finding, type ReportData, SPANS } from '../report-data.ts';
import { figureTable, h } from './dom.ts';
import { type Formats, NOTHING } from './formats.ts';
import { laggingSource } from './verdict.ts';

/** One line: the page's time, and whether it is new enough to trust. */
export function freshnessLine(data: ReportData, formats: Formats): HTMLElement {
  const { t } = formats;
  const now = Date.now();
  const { observedAt, timeZone } = data;
  const isOld = data.oldFrom !== null && now > Date.parse(data.oldFrom);
  const asOf =
    observedAt === null
      ? [t('No listing was ever answered')]
      : [
          t('As of'),
          ' ',
          h('time', { datetime: observedAt }, formats.time(observedAt)),
          ` (${formats.ago(observedAt, now)}), ${t('times in {timeZone}', { timeZone })}`,
        ];
  return h(
    'div',
    h(
      'p.fresh',
      ...asOf,
      `. ${t('Newest run')}: `,
      h('a.badge', { href: '#freshness', 'data-state': data.status }, t(data.status)),
    ),
    isOld
      ? h(
          'p.warning',
          { role: 'alert' },
          h('strong', t('These figures are old.')),
          ' ',
          t(
            'Since they were exported, another run was due, or got no answer: make the report again, or look at status.',
          ),
        )
      : null,
  );
}

/** What needs attention, the most harmful first, and what is muted. */
export function attention(data: ReportData, formats: Formats): HTMLElement {
  return h('div', harmful(data, formats), ...mutedList(data, formats));
}

/** Why and until when somebody muted what. */
function mutedList({ muted }: ReportData, { t, day }: Formats): readonly Node[] {
  if (muted.length === 0) return [];
  const item = ({ id, reason, end, isIdle }: ReportData['muted'][number]) =>
    h(
      'li',
      h('code', id),
      ` ${t('until {date}: {reason}', { date: day(end), reason })}`,
      isIdle ? ` (${t('no player, screen or storage has this id')})` : '',
    );
  const title = t('Muted by the config: {id}', { id: String(muted.length) });
  return [h('details.muted', h('summary', title), h('ul', ...muted.map(item)))];
}

/** What needs attention, the most harmful first, with new ones and the worst by name. */
function harmful({ findings, notKnown, news, hours }: ReportData, formats: Formats): HTMLElement {
  const { t } = formats;
  if (findings.length === 0) {
    const isSure = hours === null || hours.least === hours.most;
    const isAllKnown = isSure && Object.values(notKnown).every((sentences) => sentences.length === 0);
    return h(
      'p.card.calm',
      isAllKnown
        ? t('Nothing needs attention: everything that was requested is in order.')
        : t('Nothing that is known needs attention. The tiles and lists show what is not known.'),
    );
  }
  const item = (finding: Finding) => {
    const { urgency, count, isLeast, what, why, table, worst, kind } = finding;
    return h(
      'li.card',
      h(
        'p.finding-head',
        isLeast ? h('small', t('at least')) : null,
        h('strong.count', formats.number(count)),
        h('a', { href: `#${table}` }, t(what)),
        h('span.badge', { 'data-state': urgency }, t(urgency)),
      ),
      h('p.note', t(why), ...newSince(finding, news, formats)),
      h(
        'ul.worst',
        ...worst.map(({ name, says, value }) =>
          h(
            'li',
            h('span', says === undefined ? name : `${name}: ${t(says)}`),
            h(kind === 'text' ? 'b.text' : 'b', formats.cell(value, kind)),
          ),
        ),
      ),
    );
  };
  return h('ul.findings', ...findings.map(item));
}

/** How many of them are new since the day before: these are today's tasks. */
function newSince(
  { newCount, isNewLeast }: Finding,
  { since }: ReportData['news'],
  formats: Formats,
): readonly (Node | string)[] {
  const before = since['1'];
  if (newCount === null || before === undefined || (newCount === 0 && isNewLeast)) return [];
  const { t, number } = formats;
  const values = { day: daysOf(before, formats), count: number(newCount) };
  const told = isNewLeast
    ? t('New since {day}: at least {count}.', values)
    : newCount === 0
      ? t('None is new since {day}.', values)
      : t('New since {day}: {count}.', values);
  return [' ', h('b.new', told)];
}

/** The day that all sources are compared with, or the first and the last. */
function daysOf({ first, last }: { readonly first: string; readonly last: string }, { shortDay }: Formats) {
  return first === last ? shortDay(first) : `${shortDay(first)} – ${shortDay(last)}`;
}

/** How many of each kind of news there are, since 1, 7 and 30 days. */
export function newsCounts({ news, lagging }: ReportData, formats: Formats): HTMLElement {
  const { t, number } = formats;
  const told = (span: (typeof SPANS)[number]) => {
    const since = news.since[span];
    if (since !== undefined) return t('since {day}', { day: daysOf(since, formats) });
    return span === '1' ? t('a day ago') : t('{days} days ago', { days: span });
  };
  const rows = news.kinds.map(({ kind, counts, isLeast, unknown }) => ({
    name: t(kind),
    cells: SPANS.map((span) => {
      const count = counts[span];
      if (count === null) return [NOTHING];
      const band = t('{unknown} not known', { unknown: number(unknown[span]) });
      return [
        isLeast[span] ? h('small', `${t('at least')} `) : null,
        number(count),
        unknown[span] === 0 ? null : h('small', ` (${band})`),
      ];
    }),
  }));
  const note = t(
    'Two days compared. What had no answer on one of them is no news. “At least” and –: a source’s history is too short, or an answer is missing.',
  );
  return h(
    'div.card',
    h('p.note', note),
    ...lagging.map((each) => h('p.note.not-known', laggingSource(each, formats))),
    figureTable({ tag: 'table.counts', label: t('News'), heads: [t('News'), ...SPANS.map(told)], rows }),
  );
}
