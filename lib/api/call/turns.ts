/** The event loop runs after this many answers, because each run costs as much as half an answer. */
const AT_ONCE = 8;

/**
 * Returns a function that waits for the caller's turn to read its answer. Before that, all answers that came
 * leave their connections and the next calls are sent. The reason: reading an answer takes several times as
 * long, and would delay the calls. Turns are in the order of the answers.
 */
export function createTurns(): () => Promise<void> {
  let waiting: (() => void)[] = [];

  function next(): void {
    const now = waiting.slice(0, AT_ONCE);
    waiting = waiting.slice(AT_ONCE);
    if (waiting.length > 0) setImmediate(next);
    for (const resolve of now) resolve();
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}
