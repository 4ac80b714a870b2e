import { HOUR_MS } from '../../day-ms.ts';
import type { Finding, ReportData, TrendKey } from '../report-data.ts';
import { h } from './dom.ts';
import { type Formats, NOTHING } from './formats.ts';

/** A page is old when the next run is overdue by half a run interval and two hours. */
const GRACE_HOURS = 2;

/** What the page shows, of which time, and whether it is still new enough to be trusted. */
export function freshnessLine(data: ReportData, formats: Formats): HTMLElement {
  const now = Date.now();
  const { observedAt } = data;
  const age = observedAt === null ? null : (now - Date.parse(observedAt)) / HOUR_MS;
  const isOld = age !== null && age > data.hoursBetweenRuns * 1.5 + GRACE_HOURS;
  return h(
    'div',
    {},
    h(
      'p',
      { class: 'fresh' },
      ...(observedAt === null
        ? ['No listing was ever answered']
        : [
            'As of ',
            h('time', { datetime: observedAt }, formats.time(observedAt)),
            ` (${formats.ago(observedAt, now)})`,
          ]),
      `, times in ${data.timeZone}. The newest run is `,
      h('span', { class: 'badge', 'data-state': data.status }, data.status),
      '.',
    ),
    isOld
      ? h(
          'p',
          { class: 'warning', role: 'alert' },
          h('strong', {}, 'These figures are old. '),
          'Since they were exported, another run was due, or got no answer: make the report again, or look at status.',
        )
      : null,
  );
}

/** What needs attention, the most urgent first, with the worst by name. */
export function attention(findings: readonly Finding[], formats: Formats): HTMLElement {
  if (findings.length === 0)
    return h('p', { class: 'card calm' }, 'Nothing needs attention: all that was asked for is in order.');
  const item = ({ urgency, count, what, why, table, worst, kind }: Finding) =>
    h(
      'li',
      { class: 'card' },
      h(
        'p',
        { class: 'finding-head' },
        h('strong', { class: 'count' }, formats.number(count)),
        h('a', { href: `#${table}` }, what),
        h('span', { class: 'badge', 'data-state': urgency }, urgency),
      ),
      h('p', { class: 'note' }, why),
      h(
        'ul',
        { class: 'worst' },
        ...worst.map(({ name, value }) =>
          h('li', {}, h('span', {}, name), h('b', {}, value === null ? NOTHING : formats.cell(value, kind))),
        ),
      ),
    );
  return h('ul', { class: 'findings' }, ...findings.map(item));
}

interface Tile {
  readonly label: string;
  readonly value: string;
  readonly note: string;
}

/** The most important figures, each with its value of the day before. */
export function keyFigures({ trend }: ReportData, formats: Formats): HTMLElement {
  const at = (key: TrendKey, back = 0) => trend.series[key].at(-1 - back) ?? null;
  const share = (part: TrendKey, whole: TrendKey, back = 0) => {
    const [a, b] = [at(part, back), at(whole, back)];
    return a === null || b === null || b === 0 ? null : a / b;
  };
  const before = (value: string) => (trend.dates.length > 1 ? `, day before ${value}` : '');
  const ofWhole = (label: string, part: TrendKey, whole: TrendKey, what: string): Tile | undefined => {
    const now = share(part, whole);
    if (now === null) return undefined;
    return {
      label,
      value: formats.share(now),
      note: `${formats.number(at(part) ?? 0)} of ${formats.number(at(whole) ?? 0)} ${what}${before(formats.cell(share(part, whole, 1), 'share'))}`,
    };
  };
  const pending = at('pending_transfers');
  const used = share('backup_used', 'backup_reserved');
  const tiles: readonly (Tile | undefined)[] = [
    ofWhole('Screens on', 'screens_on', 'screens', 'screens'),
    ofWhole('Screens stale', 'screens_stale', 'screens', 'screens'),
    ofWhole('Players online', 'players_online', 'players', 'players'),
    pending === null
      ? undefined
      : {
          label: 'Pending transfers',
          value: formats.number(pending),
          note: `${formats.cell(at('players_waiting'), 'number')} players wait${before(formats.cell(at('pending_transfers', 1), 'number'))}`,
        },
    ofWhole('Licences used', 'licenses_used', 'licenses_total', 'licences'),
    used === null
      ? undefined
      : {
          label: 'Backup used',
          value: formats.share(used),
          note: `${formats.cell(at('backup_used'), 'bytes')} of ${formats.cell(at('backup_reserved'), 'bytes')} reserved${before(formats.cell(share('backup_used', 'backup_reserved', 1), 'share'))}`,
        },
  ];
  return h(
    'dl',
    { class: 'tiles' },
    ...tiles
      .filter((tile) => tile !== undefined)
      .map(({ label, value, note }) =>
        h(
          'div',
          { class: 'card' },
          h('dt', {}, label),
          h('dd', { class: 'value' }, value),
          h('dd', { class: 'note' }, note),
        ),
      ),
  );
}
