import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { runLocally } from '#cli/run-locally.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { labConfig } from '../lab-config.ts';
import { argument, cpuSeconds, peakMiB, report } from './report.ts';

export interface RunArgument {
  readonly url: string;
  readonly key: string;
  readonly concurrency: number;
  readonly lake: string;
  /** Scheduled time, ISO. */
  readonly at: string;
}

export interface RunMeasured {
  readonly status: string;
  readonly requests: number;
  /** The rows of all resource tables. */
  readonly rows: number;
  readonly seconds: number;
  /** Start, list, collect and sweep. */
  readonly collectSeconds: number;
  readonly planSeconds: number;
  readonly publishSeconds: number;
  readonly commitSeconds: number;
  /** The most memory held until collect ended. */
  readonly collectPeakMiB: number;
  /** CPU seconds until collect ended, on all threads. */
  readonly collectCpuSeconds: number;
}

const { url, key, concurrency, lake, at } = argument<RunArgument>();
const begun = performance.now();
const since = () => (performance.now() - begun) / 1000;
let collectPeakMiB = 0;
let collectCpuSeconds = 0;
const ended = { collect: 0, plan: 0, publish: 0 };
const local = localServices(folderLake(lake), ({ stage }) => {
  if (stage === 'plan') {
    ended.collect = since();
    collectPeakMiB = peakMiB();
    collectCpuSeconds = cpuSeconds();
  }
  // Each unit says so when it ends; what follows the last one is commit.
  if (stage === 'publish') ended.publish = since();
});
const services: typeof local = {
  ...local,
  lake: {
    ...local.lake,
    // Plan puts its units before it ends, publish begins by reading one.
    write: async (name, bytes, condition) => {
      if (name.endsWith('/plan.json')) ended.plan = since();
      return await local.lake.write(name, bytes, condition);
    },
  },
};
const secrets = { read: async () => ({ apiKey: key }) };
await using api = localApiServices(services, secrets);
const config = labConfig({ url, concurrency });
const summary = await runLocally({ scheduledTime: at }, { ...api, config });
const seconds = since();
const measured: RunMeasured = {
  status: summary.status,
  requests: summary.requests,
  rows: Object.values(summary.tables).reduce((sum, { rows }) => sum + rows, 0),
  seconds,
  collectSeconds: ended.collect,
  planSeconds: ended.plan - ended.collect,
  publishSeconds: ended.publish - ended.plan,
  commitSeconds: seconds - ended.publish,
  collectPeakMiB,
  collectCpuSeconds,
};
report(measured);
