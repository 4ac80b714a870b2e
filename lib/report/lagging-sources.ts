import { quoteLiteral } from '../sql.ts';
import type { Tables } from '../views/open-tables.ts';
import type { ReportData } from './report-data.ts';

/** The config's sources that the newest run did not call or could not list, with the last run that did not fail. */
export async function laggingSources(tables: Tables): Promise<ReportData['lagging']> {
  const { rows } = await tables.query(`
    -- grain: a source that the newest run left out or could not list
    with
      -- grain: a source that was listed
      listed as (
        select distinct export_source
        from outcomes
        where resource in ('players', 'backup_storages') and outcome in ('ok', 'empty')
      )
    select export_source, max(case when status <> 'failed' then observed_at end)
    from runs
    where export_source in (${tables.head.sources.map(quoteLiteral).join(', ') || "''"})
    group by export_source
    having
      max(case when status <> 'failed' then observed_at end) is not null
      and (
        max(export_run_id) < ${quoteLiteral(tables.head.runId)}
        or export_source not in (select export_source from listed)
      )
    order by export_source`);
  return rows.map(([source, observedAt]) => ({ source: String(source), observedAt: String(observedAt) }));
}
