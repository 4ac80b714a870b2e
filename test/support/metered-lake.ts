import type { Lake } from '#lib/lake/lake.ts';

/** The requests that S3 would charge for. */
export interface Requests {
  puts: number;
  lists: number;
  gets: number;
}

/** A lake that counts its requests as those of a lake on S3, for one call of a stage: a copy is fetched once. */
export function meteredLake(lake: Lake, requests: Requests): Lake {
  const copied = new Set<string>();
  const counted = async <T>(put: Promise<T>): Promise<T> => {
    const result = await put;
    requests.puts += 1;
    return result;
  };
  return {
    ...lake,
    read: (key) => {
      requests.gets += 1;
      return lake.read(key);
    },
    open: async (key) => {
      requests.gets += 1;
      const reader = await lake.open(key);
      return (
        reader && {
          size: reader.size,
          read: (offset, length) => {
            requests.gets += Math.min(1, length);
            return reader.read(offset, length);
          },
          close: () => reader.close(),
        }
      );
    },
    write: (key, ...put) => counted(lake.write(key, ...put)),
    moveIn: async (key, ...put) => {
      await counted(lake.moveIn(key, ...put));
      copied.add(key);
    },
    async *list(prefix, after) {
      let keys = 0;
      requests.lists += 1;
      for await (const each of lake.list(prefix, after)) {
        keys += 1;
        if (keys % 1000 === 0) requests.lists += 1;
        yield each;
      }
    },
    localPaths: (keys) => {
      const missing = [...new Set(keys)].filter((key) => !copied.has(key));
      requests.gets += missing.length;
      for (const key of missing) copied.add(key);
      return lake.localPaths(keys);
    },
  };
}
