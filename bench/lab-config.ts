import type { Config } from '#lib/config/config.ts';
import { parseConfig } from '#lib/config/parse-config.ts';

/** A config with one signage source without a rate limit. */
export function labConfig({
  url,
  concurrency,
}: {
  readonly url: string;
  readonly concurrency: number;
}): Config {
  const source = {
    name: 'lab',
    kind: 'signage',
    secret: 'lab',
    baseUrl: url,
    concurrency,
    requestsPerSecond: null,
  };
  return parseConfig(JSON.stringify({ name: 'lab', sources: [source] }), 'lab.config.json');
}
