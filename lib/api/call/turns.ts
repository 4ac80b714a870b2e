/** The event loop runs after so many answers, for each time costs as much as half an answer. */
const AT_ONCE = 8;

/**
 * Gives a function that waits for the caller's turn to read its answer. First, all answers that have come are taken off
 * their connections and the next calls are sent: reading an answer takes several times as long, and would delay the
 * calls. Turns are in the order of the answers.
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
