/**
 * From so many records on, an expression for each column is faster than one over a list of the columns. With 22 columns
 * the first way takes 45 ms to plan, and 0.5 s for 1,000,000 records. The second takes 6 ms and 1.2 s.
 */
export const MANY_RECORDS = 50_000;

export interface CellMaker {
  /** SQL of a value as JSON text. */
  readonly value: string;
  /** Returns SQL of what becomes of the value in this SQL. */
  readonly sqlOf: (value: string) => string;
}

/**
 * SQL of cells over a relation of values. With few records, one expression over a list makes all cells of the
 * same kind. DuckDB plans each expression separately, with its macros, which takes longer than to read few
 * records. 24 columns of a thousand records take 55 ms with an expression each, and 25 ms with lists. A list
 * costs more for each record.
 */
export function madeCells(
  relation: string,
  makers: readonly CellMaker[],
  { areFew }: { readonly areFew: boolean },
) {
  const lists: string[] = [];
  const cells = new Map<CellMaker, string>();
  for (const [sql, alike] of Map.groupBy(makers, ({ sqlOf }) => sqlOf(EACH))) {
    const isListed = areFew && alike.length > 1;
    const list = `made${lists.length}`;
    for (const [index, maker] of alike.entries())
      cells.set(maker, isListed ? `${list}[${index + 1}]` : maker.sqlOf(maker.value));
    const values = alike.map(({ value }) => value).join(', ');
    if (isListed) lists.push(`list_transform([${values}], lambda ${EACH}: ${sql}) as ${list}`);
  }
  return {
    /** SQL of the relation, with further columns where the cells need them. */
    from: lists.length === 0 ? `(${relation})` : `(select *, ${lists.join(', ')} from (${relation}))`,
    /** SQL of each cell over the relation, in the order of the makers. */
    cells: makers.map((maker) => cells.get(maker) ?? 'null'),
  };
}

/** No lambda within a cell has this name. */
const EACH = 'value__';
