/** First in, first out, at the same cost however long it is. */
export interface Queue<T> {
  readonly add: (item: T) => void;
  readonly take: () => T | undefined;
  /** Takes all. */
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
