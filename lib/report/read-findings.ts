import type { Tables } from '../views/open-tables.ts';
import { FINDINGS, type FindingQuery } from './findings.ts';
import { cellOf, countOf } from './read-table.ts';
import type { Finding, ReportData } from './report-data.ts';

/** What needs attention, with its count and its worst. A view that is left out adds nothing. */
export async function readFindings(
  tables: Tables,
  { kinds }: ReportData['news'],
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const query of FINDINGS.filter(({ view }) => tables.views.some(({ name }) => name === view))) {
    const newCount = kinds.find(({ kind }) => kind === query.news)?.counts['1'] ?? null;
    found.push(...(await readFinding(tables, query, newCount)));
  }
  return found;
}

/** How many of the worst a finding names. */
const WORST = 3;

async function readFinding(
  tables: Tables,
  query: FindingQuery,
  newCount: number | null,
): Promise<readonly Finding[]> {
  const { rows } = await tables.query(`
    -- grain: one of the worst
    select ${query.name} as name, ${query.value} as value
    from ${query.view}
    where ${query.where}
    order by ${query.order}, name
    limit ${WORST}`);
  if (rows.length === 0) return [];
  const { id, urgency, one, many, why, table, kind } = query;
  const count = await countOf(tables, `${query.view} where ${query.where}`);
  return [
    {
      id,
      urgency,
      count,
      what: count === 1 ? one : many,
      why,
      newCount,
      table,
      kind,
      worst: rows.map(([name, value]) => ({ name: String(cellOf(name)), value: cellOf(value, kind) })),
    },
  ];
}
