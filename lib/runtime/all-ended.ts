/** As Promise.all, but throws only when none of the others is at work any more: what they write into can go then. */
export async function allEnded<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return await Promise.all(promises);
}
