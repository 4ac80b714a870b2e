import { quoteLiteral } from '../sql.ts';
import type { Tables } from '../views/open-tables.ts';
import { readRunDates } from './days/run-dates.ts';
import { FINDINGS, type FindingQuery } from './findings.ts';
import { cellOf, countOf } from './read-table.ts';
import type { Finding, News, ReportData } from './report-data.ts';
import { comparedRows } from './unknown-states.ts';

/** What needs attention and is not muted, with its count and its worst. A view that is left out adds nothing. */
export async function readFindings(
  tables: Tables,
  { news, muted }: Pick<ReportData, 'news' | 'muted'>,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const query of FINDINGS.filter(({ view }) => tables.views.some(({ name }) => name === view))) {
    const keys = muted.length === 0 ? [] : (query.keys ?? []);
    const own = (rows: string) => [rows, ...keys.map((key) => isNotMuted(key, muted))].join(' and ');
    const { where, perhaps } = query;
    const asked = { ...query, where: own(where), ...(perhaps !== undefined && { perhaps: own(perhaps) }) };
    found.push(...(await readFinding(tables, asked, news)));
  }
  return found;
}

function isNotMuted(key: string, muted: ReportData['muted']): string {
  return `coalesce(${key}, '') not in (${muted.map(({ id }) => quoteLiteral(id)).join(', ')})`;
}

/**
 * How many rows of a finding are new since the day before. These are its news, and what was not listed or not expected
 * on that day. Null if no news has them, or none is known to be new and some may be.
 */
export async function countNew(tables: Tables, query: FindingQuery, news: News): Promise<number | null> {
  const [told] = newsOf(query, news);
  if (told === undefined || news.since['1'] === undefined) return null;
  const { kinds = [], key } = query.news ?? {};
  const { compared, dates } = comparedRows((await readRunDates(tables)).bySource);
  const count = await countOf(
    tables,
    `${query.from?.(tables.since) ?? query.view} where ${query.where} and (
      (export_source, ${key}) in (
        select export_source, record_key from news where days = 1 and news in (${kinds.map(quoteLiteral).join(', ')})
      )
      or (export_source, player_id) in (
        select days.export_source, days.player_id
        from (select * from player_days where export_date in (${dates})) as days
        join ${compared}
          on compared.export_source = days.export_source and compared.export_date = days.export_date
        where compared.span = '1' and not days.is_expected and not days.is_carried
      )
    )`,
  );
  return count === 0 && told.counts['1'] === null ? null : count;
}

/** The kinds of news of a finding. The first one says whose state changed. */
function newsOf({ news }: FindingQuery, { kinds }: News): News['kinds'] {
  return (news?.kinds ?? []).flatMap((name) => kinds.find(({ kind }) => kind === name) ?? []);
}

/** How many of the worst a finding names. */
const WORST = 3;

async function readFinding(tables: Tables, query: FindingQuery, news: News): Promise<readonly Finding[]> {
  const from = query.from?.(tables.since) ?? query.view;
  const { rows } = await tables.query(`
    -- grain: one of the worst
    select ${query.name} as name, ${query.value} as value, export_source, ${query.says ?? 'null'} as says
    from ${from}
    where ${query.where}
    order by ${query.order}, name, says
    limit ${WORST}`);
  if (rows.length === 0) return [];
  const listed = query.keys?.includes('storage_key') === true ? 'backup_storages' : 'players';
  const { rows: sources } = await tables.query(`select distinct export_source from ${listed}`);
  // Two sources may have the same names.
  const nameOf = (name: unknown, source: unknown) =>
    sources.length < 2 || name === source ? String(cellOf(name)) : `${cellOf(name)} (${source})`;
  const { id, urgency, one, many, why, table, kind, perhaps } = query;
  const count = await countOf(tables, `${from} where ${query.where}`);
  return [
    {
      id,
      urgency,
      count,
      isLeast: perhaps !== undefined && (await countOf(tables, `${from} where ${perhaps}`)) > 0,
      what: count === 1 ? one : many,
      why,
      newCount: await countNew(tables, query, news),
      isNewLeast: newsOf(query, news).some(({ isLeast, unknown }) => isLeast['1'] || unknown['1'] > 0),
      table,
      kind,
      worst: rows.map(([name, value, source, says]) => ({
        name: nameOf(name, source),
        ...(typeof says === 'string' && { says }),
        value: cellOf(value, kind),
      })),
    },
  ];
}
