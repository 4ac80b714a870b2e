import type { Sentence } from '../../views/sentence.ts';
import type { CellKind, ReportData, TileName, TrendKey } from '../report-data.ts';
import { h } from './dom.ts';
import type { Formats } from './formats.ts';
import { spark } from './spark.ts';

interface Figure {
  /** By day, as the trend's dates. */
  readonly values: readonly (number | null)[];
  readonly kind: CellKind;
}

interface Tile {
  readonly name: TileName;
  readonly label: string;
  readonly figure: Figure;
  /** What stands behind the figure, such as "of 182 expected". */
  readonly of: string;
  readonly note: string;
  /** Whether more of it is better; it colours the change. */
  readonly moreIs: 'better' | 'worse';
}

/** The five figures that count, each with its change since the day before that has it, and its spark line. */
export function tiles(data: ReportData, formats: Formats, names?: readonly TileName[]): HTMLElement {
  return h(
    'dl',
    { class: 'tiles' },
    ...[...tilesOf(data, formats), ...hoursTile(data, formats)]
      .filter(({ name }) => names === undefined || names.includes(name))
      .map((tile) => tileElement(tile, data, formats)),
  );
}

function tilesOf({ trend }: ReportData, formats: Formats): readonly Tile[] {
  const { t } = formats;
  const now = (key: TrendKey) => trend.series[key].at(-1) ?? null;
  const told = (key: TrendKey, kind: CellKind = 'number') => formats.cell(now(key), kind);
  const count = (key: TrendKey): Figure => ({ values: trend.series[key], kind: 'number' });
  const both = (a: TrendKey, b: TrendKey, make: (a: number, b: number) => number | null) =>
    trend.series[a].map((value, day) => {
      const other = trend.series[b][day] ?? null;
      return value === null || other === null ? null : make(value, other);
    });
  const screens = ['expected_screens_off', 'expected_screens_stale', 'expected_screens_unknown'] as const;
  return [
    {
      name: 'players',
      label: t('Players online'),
      figure: known(
        count('expected_players_online'),
        count('expected_players_unknown'),
        count('expected_players'),
      ),
      of: t('of {expected} expected', { expected: told('expected_players') }),
      note: t('{offline} offline, {never} never seen, {unknown} not known', {
        offline: told('expected_players_offline'),
        never: told('expected_players_never_seen'),
        unknown: told('expected_players_unknown'),
      }),
      moreIs: 'better',
    },
    {
      name: 'screens',
      label: t('Screens on'),
      figure: known(
        count('expected_screens_on'),
        count('expected_screens_unknown'),
        count('expected_screens'),
      ),
      of: t('of {expected} expected', { expected: told('expected_screens') }),
      note: t('{off} off, {stale} stale, {unknown} not known', {
        off: told(screens[0]),
        stale: told(screens[1]),
        unknown: told(screens[2]),
      }),
      moreIs: 'better',
    },
    {
      name: 'transfers',
      label: t('Stuck transfers'),
      figure: count('players_stuck'),
      of: t('of {waiting} players that wait', { waiting: told('players_waiting') }),
      note: t('{pending} files pending', { pending: told('pending_transfers') }),
      moreIs: 'worse',
    },
    {
      name: 'licenses',
      label: t('Licences left'),
      figure: {
        values: both('licenses_total', 'licenses_used', (total, used) => total - used),
        kind: 'number',
      },
      of: t('of {total}', { total: told('licenses_total') }),
      note: t('{used} used', { used: told('licenses_used') }),
      moreIs: 'better',
    },
    {
      name: 'backup',
      label: t('Backup used'),
      figure: {
        values: both('backup_used', 'backup_reserved', (used, all) => (all === 0 ? null : used / all)),
        kind: 'share',
      },
      of: t('of {reserved} reserved', { reserved: told('backup_reserved', 'bytes') }),
      note: t('{used} used', { used: told('backup_used', 'bytes') }),
      moreIs: 'worse',
    },
  ];
}

/** Where the config has opening hours. It is of the newest export alone. */
function hoursTile({ hours }: ReportData, { t, number }: Formats): readonly Tile[] {
  if (hours === null) return [];
  const { screens, off, unknown } = hours;
  return [
    {
      name: 'hours',
      label: t('Off in opening hours'),
      figure: { values: [screens > 0 && unknown === screens ? null : off], kind: 'number' },
      of: t('of {screens} screens', { screens: number(screens) }),
      note: t('In the last 24 hours; {unknown} not known', { unknown: number(unknown) }),
      moreIs: 'worse',
    },
  ];
}

/** The figure, without the days on which all of the whole is unknown: none of it is then not 0. */
function known(figure: Figure, unknown: Figure, whole: Figure): Figure {
  return {
    ...figure,
    values: figure.values.map((value, day) => {
      const all = whole.values[day] ?? 0;
      return all > 0 && unknown.values[day] === all ? null : value;
    }),
  };
}

const NO_FIGURE: Sentence = { text: 'The API has no such listing here, or it says no such figure.' };

function tileElement(tile: Tile, data: ReportData, formats: Formats): HTMLElement {
  const { t } = formats;
  const { name, label, figure, of, note } = tile;
  const now = figure.values.at(-1) ?? null;
  const without = data.without[name];
  if (now === null) {
    const why = data.notKnown[name];
    return h(
      'div',
      { class: 'card tile', id: `tile-${name}` },
      h('dt', {}, label),
      h('dd', { class: 'value unknown' }, t('Not known')),
      ...(why.length > 0 ? why : [NO_FIGURE]).map((each) =>
        h('dd', { class: 'note' }, formats.sentence(each)),
      ),
    );
  }
  return h(
    'div',
    { class: 'card tile', id: `tile-${name}` },
    h('dt', {}, label),
    h('dd', { class: 'value' }, formats.cell(now, figure.kind), ' ', h('small', {}, of)),
    change(tile, data, formats),
    spark(figure.values, data.trend.dates, formats),
    h('dd', { class: 'note' }, note),
    without.length === 0
      ? null
      : h(
          'dd',
          { class: 'note not-known' },
          t('Not answered by {sources}: missing, or of an earlier run', { sources: without.join(', ') }),
        ),
  );
}

/** How much more or less it is than on the last day before that has the figure. */
function change({ figure, moreIs }: Tile, { trend }: ReportData, formats: Formats): HTMLElement | null {
  const { t } = formats;
  const last = figure.values.length - 1;
  const before = figure.values.findLastIndex((value, day) => day < last && value !== null);
  const [now, then] = [figure.values[last] ?? null, figure.values[before] ?? null];
  if (now === null || then === null) return null;
  const day = formats.shortDay(trend.dates[before] ?? '');
  const by = formats.change(now - then, figure.kind);
  if (by === undefined) return h('dd', { class: 'change' }, t('as on {day}', { day }));
  const isGood = now > then === (moreIs === 'better');
  return h('dd', { class: 'change', 'data-is': isGood ? 'good' : 'bad' }, t('{by} since {day}', { by, day }));
}
