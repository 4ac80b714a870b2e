/** What a promise comes to; nothing ever, once whoever waits for it is killed. */
export async function untilKilled<Value>(promise: Promise<Value>, life: AbortSignal): Promise<Value> {
  try {
    return await promise;
  } finally {
    if (life.aborted) await new Promise(() => {});
  }
}
