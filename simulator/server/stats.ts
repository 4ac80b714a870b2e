import type { FixtureRequest } from '../fixture-server.ts';
import type { ServedResource } from '../kind.ts';

/** Counts since the server started, or since `reset`. */
export interface Stats {
  requests: number;
  /** Requests by resource; `unknown` for paths without a resource. */
  byResource: Partial<Record<ServedResource | 'unknown', number>>;
  /** Answers by status; 0 for those that broke off or never came. */
  byStatus: Record<number, number>;
  /** How often each fault had an effect. */
  byFault: Record<string, number>;
  /** Requests without an answer yet. */
  inFlight: number;
  maxInFlight: number;
  /** When each request came, ms since 1970 with fractions; empty unless `recordsRequests`. */
  requestTimes: number[];
  /** Path and query of each request; empty unless `recordsRequests`. */
  requestPaths: string[];
  /** The requests to the second origin, since the server started. */
  readonly secondOrigin: FixtureRequest[];
  reset(): void;
}

export function createStats(): Stats {
  const nothing = () => ({
    ...{ requests: 0, byResource: {}, byStatus: {}, byFault: {} },
    ...{ maxInFlight: 0, requestTimes: [], requestPaths: [] },
  });
  const stats: Stats = {
    ...{ ...nothing(), inFlight: 0, secondOrigin: [] },
    reset: () => void Object.assign(stats, nothing(), { maxInFlight: stats.inFlight }),
  };
  return stats;
}

/** Adds one to the count of a key. */
export function tally<K extends string | number>(counts: Partial<Record<K, number>>, key: K): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
