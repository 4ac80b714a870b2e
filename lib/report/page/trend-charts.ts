import type { ReportData, TrendKey } from '../report-data.ts';
import type { ChartSeries, ChartSpec } from './chart-spec.ts';

/** The charts that these figures can fill; one without any figure is left out. */
export function chartsOf(data: ReportData): readonly ChartSpec[] {
  const { dates, series } = data.trend;
  const days = { labels: dates, labelsAre: 'days' as const };
  const line = (name: string, key: TrendKey, color: string, dashed = false): ChartSeries => ({
    name,
    color,
    values: series[key],
    dashed,
  });
  const used = middleOf(series.backup_used_least, series.backup_used_most);
  const specs: ChartSpec[] = [
    {
      id: 'chart-screens',
      title: 'Screens by state',
      note: 'Of expected players, on the day’s last run. A dead screen says on: it is stale once it has reported nothing for 8 hours.',
      kind: 'number',
      form: 'bars',
      ...days,
      series: [
        line('On', 'expected_screens_on', '--on'),
        line('Off', 'expected_screens_off', '--off'),
        line('Stale', 'expected_screens_stale', '--stale'),
        line('Unknown', 'expected_screens_unknown', '--unknown'),
      ],
    },
    {
      id: 'chart-uptime',
      title: 'Share of time on',
      note: 'Of the hours with a known state, of the screens that ever had one. A day has no share if more than half of its hours are unknown. A screen that switched between two runs counts as half. The band is how much more or less it may be: by such switches, and by hours that nobody knows.',
      kind: 'share',
      form: 'lines',
      ...days,
      series: [
        line('Time on', 'uptime', '--on'),
        { ...line('Possible error', 'uptime_error', '--unknown'), kind: 'shareError', bandOf: series.uptime },
      ],
    },
    {
      id: 'chart-players',
      title: 'Players by health',
      note: 'Expected players. Offline: not seen for 8 hours before the export.',
      kind: 'number',
      form: 'bars',
      ...days,
      series: [
        line('Online', 'expected_players_online', '--on'),
        line('Offline', 'expected_players_offline', '--stale'),
        line('Never seen', 'expected_players_never_seen', '--never'),
        line('Unknown', 'expected_players_unknown', '--unknown'),
      ],
    },
    {
      id: 'chart-transfers',
      title: 'Pending transfers',
      note: 'Files that are pending for a player, also those scheduled for later, and the players that wait for files.',
      kind: 'number',
      form: 'lines',
      ...days,
      series: [
        line('Transfers', 'pending_transfers', '--accent'),
        line('Players waiting for files', 'players_waiting', '--stale'),
      ],
    },
    {
      id: 'chart-licenses',
      title: 'Licences',
      note: 'All types and sources together.',
      kind: 'number',
      form: 'lines',
      ...days,
      series: [line('Total', 'licenses_total', '--unknown', true), line('Used', 'licenses_used', '--accent')],
    },
    {
      id: 'chart-backup',
      title: 'Backup',
      note: 'While the provider counts a slot again, its use is not known. The line is then in the middle, and the band shows how much more or less it may be.',
      kind: 'bytes',
      form: 'lines',
      ...days,
      series: [
        line('Size of all slots', 'backup_slots_size', '--unknown', true),
        { ...line('Used', 'backup_used', '--accent'), values: used.middle },
        { ...line('Possible error', 'backup_used', '--unknown'), values: used.error, bandOf: used.middle },
      ],
    },
  ];
  return specs.filter((spec) => spec.series.some(({ values }) => values.some((value) => value !== null)));
}

/** The middle between the least and the most that a figure may be, and how far it is from both. */
function middleOf(least: ChartSeries['values'], most: ChartSeries['values']) {
  const each = (make: (least: number, most: number) => number) =>
    least.map((low, day) => {
      const high = most[day] ?? null;
      return low === null || high === null ? null : make(low, high);
    });
  return { middle: each((low, high) => (low + high) / 2), error: each((low, high) => (high - low) / 2) };
}

/** Screens by state as shares, a row for each source; undefined without two sources to compare. */
export function comparisonChart({ sources }: ReportData): ChartSpec | undefined {
  if (sources.length < 2) return undefined;
  const shares = (key: 'on' | 'off' | 'stale' | 'unknown') =>
    sources.map((each) => each[key] / (each.on + each.off + each.stale + each.unknown));
  return {
    id: 'chart-sources',
    title: 'Screens by state and source',
    note: 'Shares of the screens of each source’s expected players on its newest day.',
    kind: 'share',
    form: 'rows',
    labels: sources.map(({ source }) => source),
    labelsAre: 'names',
    series: [
      { name: 'On', color: '--on', values: shares('on') },
      { name: 'Off', color: '--off', values: shares('off') },
      { name: 'Stale', color: '--stale', values: shares('stale') },
      { name: 'Unknown', color: '--unknown', values: shares('unknown') },
    ],
  };
}
