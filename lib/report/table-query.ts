import type { CellKind, Prominence, ReportColumn, ReportTable } from './report-data.ts';

/** A table of the page: which rows of a view it shows. */
export interface TableQuery extends Pick<ReportTable, 'id' | 'title' | 'note'> {
  readonly view: string;
  /** FROM and what follows it, without ORDER BY. */
  readonly from: string;
  readonly columns: readonly (readonly [
    sql: string,
    label: string,
    kind: CellKind,
    place?: Prominence | undefined,
    /** The column of players that it shows, if that is a group. */
    group?: string,
  ])[];
  /** The order of rows, if it is not the view's own. */
  readonly order?: string;
}

/**
 * The query of a list of players, with the columns that group them. A column is already there, or comes from
 * `player_groups` for the choice of a group and the download.
 */
export function withGroups(
  query: TableQuery,
  groups: readonly { readonly name: string; readonly column: string }[],
): TableQuery {
  if (!query.columns.some(([sql]) => sql === 'player_id')) return query;
  const own = query.columns.map(([sql, label, kind, place]): TableQuery['columns'][number] =>
    groups.some(({ column }) => column === sql) ? [sql, label, kind, place, sql] : [sql, label, kind, place],
  );
  const more = groups.filter(({ column }) => !query.columns.some(([sql]) => sql === column));
  if (more.length === 0) return { ...query, columns: own };
  const joins = more.map(
    ({ column }, index) =>
      `left join (select export_source, player_id, group_value as group__${index} from player_groups where group_by = '${column}') as group__table_${index} using (export_source, player_id)`,
  );
  return {
    ...query,
    from: `(select * from (select * from ${query.from}) as listed ${joins.join(' ')}) as grouped`,
    columns: [
      ...own,
      ...more.map(({ name, column }, index): TableQuery['columns'][number] => [
        `group__${index}`,
        name,
        'text',
        'key',
        column,
      ]),
    ],
  };
}

/** The columns of its table. */
export const reportColumns = (query: TableQuery): readonly ReportColumn[] =>
  query.columns.map(([sql, label, kind, place, group]) => ({
    label,
    kind,
    ...(place && { place }),
    ...(group !== undefined && { group }),
    ...(sql === 'player_id' && { is: 'player' as const }),
    ...(sql === 'export_source' && { is: 'source' as const }),
  }));
