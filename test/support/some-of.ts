/** What a test goes through, as a list. @throws where there is nothing, for then the test would ask nothing. */
export function someOf<Item>(items: Iterable<Item>): readonly Item[] {
  const list = [...items];
  if (list.length === 0) throw new Error('a test goes through a list in which nothing is');
  return list;
}
