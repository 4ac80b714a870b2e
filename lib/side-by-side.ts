/**
 * What the step gives for each item, in their order, so many at a time. Once a step has thrown none is begun any more,
 * and its error is thrown when the others have ended: what they write into can go then.
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
