/** Names come first, ids and how the export went last. */
const FIRST = /(^|_)name$|^(export_date|city)$/;
const LAST =
  /(^|_)(id|key)$|^(date|export_source|export_run_id|exported_at|record_key|screen|slot|is_carried|last_known_\w+)$/;

/**
 * The places of columns in the order for a person. First come `tells`, which answer the question of a view,
 * or the names of a table without a question. Ids and the export's own columns come last.
 */
export function readingOrder(columns: readonly string[], tells: readonly string[]): readonly number[] {
  const rank = (name: string) => {
    const told = tells.indexOf(name);
    if (told !== -1) return told - tells.length;
    return tells.length === 0 && FIRST.test(name) ? 0 : LAST.test(name) ? 2 : 1;
  };
  return columns
    .map((name, index) => ({ rank: rank(name), index }))
    .toSorted((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ index }) => index);
}
