/**
 * Runs a step for each item, so many in parallel, and returns the results in the order of the items. After a
 * step throws, no further one begins. Its error is thrown after the running steps end, so that the caller may
 * remove what they write to.
 */
export async function sideBySide<Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  step: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...items].entries();
  const errors: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      try {
        results[index] = await step(item, index);
      } catch (error) {
        errors.push(error);
      }
      if (errors.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (errors.length > 0) throw errors[0];
  return results;
}
