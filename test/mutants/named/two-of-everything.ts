import { named } from '../../support/named.ts';
import type { NamedMutant } from './named-mutant.ts';

/** What keeps two sources with the same ids apart, two runs, two days and two parents with the same child. */
export const TWO_OF_EVERYTHING: readonly NamedMutant[] = named<Omit<NamedMutant, 'name'>>({
  'carried-by-another-source': {
    fault: 'rows are carried over because the call of another source failed',
    file: 'lib/publish/committed-sql.ts',
    from: 'ended__calls.source = kept__rows.export_source',
    to: 'true',
    noticedBy: ['test/slow/model.test.ts'],
  },
  'carried-by-another-resource': {
    fault: 'screens are carried over because the transfers of their player failed',
    file: 'lib/publish/committed-sql.ts',
    from: 'and ended__calls.resource = ',
    to: "and '' <> ",
    noticedBy: ['test/slow/renamed-source.test.ts'],
  },
  'changes-between-sources': {
    fault: 'a record is compared with that of another source which has its key',
    file: 'lib/publish/changes-sql.ts',
    from: 'on old__rows.export_source = new__rows.export_source and old__rows.record_key = new__rows.record_key',
    to: 'on old__rows.record_key = new__rows.record_key',
    noticedBy: ['test/slow/model.test.ts'],
  },
  'reason-of-another-source': {
    fault: 'a removed row has the reason of a parent of another source',
    file: 'lib/publish/changes-sql.ts',
    from: 'on outcomes.source = entries.export_source',
    to: 'on true',
    noticedBy: ['test/slow/model.test.ts'],
  },
  'records-before-of-another-source': {
    fault: 'a listing is held because another source had more records',
    file: 'lib/plan/outcomes/outcomes.ts',
    from: 'on before.source = joined.source',
    to: 'on true',
    noticedBy: ['test/slow/model.test.ts'],
  },
  'health-of-another-source': {
    fault: 'player_health counts the transfers of another source as those of a player',
    file: 'queries/player_health.sql',
    from: 'transfers.export_source = judged.export_source and transfers.player_id',
    to: 'transfers.player_id',
    noticedBy: ['test/slow/figures-truth.test.ts'],
  },
  'screens-of-another-source': {
    fault: 'player_health counts the screens of another source as those of a player',
    file: 'queries/player_health.sql',
    from: 'shown.export_source = judged.export_source and shown.player_id',
    to: 'shown.player_id',
    noticedBy: ['test/slow/figures-truth.test.ts'],
  },
  'asked-of-another-source': {
    fault: 'player_health shows none where the player of another source was asked, and this one was not',
    file: 'queries/player_health.sql',
    from: 'asked.export_source = judged.export_source and asked.player_id',
    to: 'asked.player_id',
    noticedBy: ['test/slow/figures-truth.test.ts'],
  },
  'newest-run-of-another-source': {
    fault: 'player_health takes the newest run of another source for its own',
    file: 'queries/player_health.sql',
    from: 'left join newest on newest.export_source = players.export_source',
    to: 'left join newest on true',
    noticedBy: ['test/slow/figures-truth.test.ts'],
  },
  'uptime-by-runs-of-another-source': {
    fault: 'screen_uptime counts the hours between the runs of two sources',
    file: 'queries/device_states.sql',
    from: 'window runs_in_order as (partition by runs.export_source order by scheduled_at)',
    to: 'window runs_in_order as (order by scheduled_at)',
    noticedBy: ['test/slow/figures-truth.test.ts'],
  },
  'uptime-of-another-source': {
    fault: 'screen_uptime mixes the states of two screens that have one key in two sources',
    file: 'queries/device_states.sql',
    from: 'window runs_in_order as (partition by record_key, export_source, level order by run_at)',
    to: 'window runs_in_order as (partition by record_key, level order by run_at)',
    noticedBy: ['test/slow/figures-truth.test.ts'],
  },
  'switches-of-another-source': {
    fault: 'screen_uptime takes a change of another source for one of the screen',
    file: 'queries/device_states.sql',
    from: 'and switches.export_source = told_days.export_source',
    to: 'and true',
    noticedBy: ['test/slow/figures-truth.test.ts'],
  },
  'uptime-by-days-of-another-source': {
    fault: 'screen_uptime joins the days of a screen with the runs of another source',
    file: 'queries/device_states.sql',
    from: 'on run_times.export_source = told_days.export_source\n      and run_times.export_date = told_days.export_date\n      and run_times.export_run_id <= told_days.told_by_run_id',
    to: 'on run_times.export_date = told_days.export_date\n      and run_times.export_run_id <= told_days.told_by_run_id',
    noticedBy: ['test/slow/figures-truth.test.ts'],
  },
});
