import type { Finding, ReportData } from '../report-data.ts';
import { h } from './dom.ts';
import { type Formats, NOTHING } from './formats.ts';
import { daysOf } from './news.ts';

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
    {},
    h(
      'p',
      { class: 'fresh' },
      ...asOf,
      `. ${t('Newest run')}: `,
      h('a', { href: '#freshness', class: 'badge', 'data-state': data.status }, t(data.status)),
    ),
    isOld
      ? h(
          'p',
          { class: 'warning', role: 'alert' },
          h('strong', {}, t('These figures are old.')),
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
  return h('div', {}, harmful(data, formats), ...mutedList(data, formats));
}

/** Why and until when somebody muted what. */
function mutedList({ muted }: ReportData, { t, day }: Formats): readonly Node[] {
  if (muted.length === 0) return [];
  const item = ({ id, reason, end, isIdle }: ReportData['muted'][number]) =>
    h(
      'li',
      {},
      ...[h('code', {}, id), ` ${t('until {date}: {reason}', { date: day(end), reason })}`],
      isIdle ? ` (${t('no player, screen or storage has this id')})` : '',
    );
  const title = t('Muted by the config: {id}', { id: String(muted.length) });
  return [h('details', { class: 'muted' }, h('summary', {}, title), h('ul', {}, ...muted.map(item)))];
}

/** What needs attention, the most harmful first, with the worst by name. */
function harmful({ findings, notKnown, news, hours }: ReportData, formats: Formats): HTMLElement {
  const { t } = formats;
  if (findings.length === 0) {
    const isSure = hours === null || hours.least === hours.most;
    const isAllKnown = isSure && Object.values(notKnown).every((sentences) => sentences.length === 0);
    return h(
      'p',
      { class: 'card calm' },
      isAllKnown
        ? t('Nothing needs attention: everything that was requested is in order.')
        : t('Nothing that is known needs attention. The tiles and lists show what is not known.'),
    );
  }
  const item = (finding: Finding) => {
    const { urgency, count, isLeast, what, why, table, worst, kind } = finding;
    return h(
      'li',
      { class: 'card' },
      h(
        'p',
        { class: 'finding-head' },
        isLeast ? h('small', {}, t('at least')) : null,
        h('strong', { class: 'count' }, formats.number(count)),
        h('a', { href: `#${table}` }, t(what)),
        h('span', { class: 'badge', 'data-state': urgency }, t(urgency)),
      ),
      h('p', { class: 'note' }, t(why), ...newSince(finding, news, formats)),
      h(
        'ul',
        { class: 'worst' },
        ...worst.map(({ name, says, value }) =>
          h(
            'li',
            {},
            h('span', {}, says === undefined ? name : `${name}: ${t(says)}`),
            h(
              'b',
              { class: kind === 'text' ? 'text' : undefined },
              value === null ? NOTHING : formats.cell(value, kind),
            ),
          ),
        ),
      ),
    );
  };
  return h('ul', { class: 'findings' }, ...findings.map(item));
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
  const day = daysOf(before, formats);
  const count = number(newCount);
  const atLeast = isNewLeast ? t('New since {day}: at least {count}.', { day, count }) : undefined;
  const told =
    newCount === 0 ? t('None is new since {day}.', { day }) : t('New since {day}: {count}.', { day, count });
  return [' ', h('b', { class: 'new' }, atLeast ?? told)];
}
