import { quoteLiteral } from '../sql.ts';
import type { Tables } from '../views/open-tables.ts';
import { FINDINGS, type FindingQuery } from './findings.ts';
import { cellOf, countOf } from './read-table.ts';
import type { Finding, ReportData } from './report-data.ts';

/** What needs attention and is not muted, with its count and its worst. A view that is left out adds nothing. */
export async function readFindings(
  tables: Tables,
  { news: { kinds }, muted }: Pick<ReportData, 'news' | 'muted'>,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const query of FINDINGS.filter(({ view }) => tables.views.some(({ name }) => name === view))) {
    const told = kinds.find(({ kind }) => kind === query.news?.kind);
    const keys = muted.length === 0 ? [] : (query.keys ?? []);
    const own = (rows: string) => [rows, ...keys.map((key) => isNotMuted(key, muted))].join(' and ');
    const { where, perhaps } = query;
    const asked = { ...query, where: own(where), ...(perhaps !== undefined && { perhaps: own(perhaps) }) };
    found.push(...(await readFinding(tables, asked, told)));
  }
  return found;
}

function isNotMuted(key: string, muted: ReportData['muted']): string {
  return `coalesce(${key}, '') not in (${muted.map(({ id }) => quoteLiteral(id)).join(', ')})`;
}

/** How many of the worst a finding names. */
const WORST = 3;

async function readFinding(
  tables: Tables,
  query: FindingQuery,
  told: ReportData['news']['kinds'][number] | undefined,
): Promise<readonly Finding[]> {
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
  const { id, urgency, one, many, why, table, kind, news, perhaps } = query;
  const count = await countOf(tables, `${from} where ${query.where}`);
  const newCount =
    news === undefined || (told?.counts['1'] ?? null) === null
      ? null
      : await countOf(
          tables,
          `news where days = 1 and news = '${news.kind}' and (export_source, record_key) in
            (select export_source, ${news.key} from ${from} where ${query.where})`,
        );
  return [
    {
      id,
      urgency,
      count,
      isLeast: perhaps !== undefined && (await countOf(tables, `${from} where ${perhaps}`)) > 0,
      what: count === 1 ? one : many,
      why,
      newCount,
      isNewLeast: told !== undefined && (told.isLeast['1'] || told.unknown['1'] > 0),
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
