/** First in, first out; a step costs the same at any length. */
export interface Queue<T> {
  readonly add: (item: T) => void;
  readonly take: () => T | undefined;
  /** Removes and gives all. */
  readonly empty: () => readonly T[];
  readonly length: () => number;
}

/** An empty queue. */
export function createQueue<T>(): Queue<T> {
  let items: T[] = [];
  let head = 0;
  return {
    add: (item) => {
      items.push(item);
    },
    take: () => {
      const item = items[head];
      head += 1;
      if (head >= items.length) {
        items = [];
        head = 0;
      }
      return item;
    },
    empty: () => {
      const all = items.slice(head);
      items = [];
      head = 0;
      return all;
    },
    length: () => items.length - head,
  };
}
