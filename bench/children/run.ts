import { localApiServices } from '#cli/local-api-services.ts';
import { leavingDatabase, localServices } from '#cli/local-services.ts';
import { runLocally } from '#cli/run-locally.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { labConfig } from '../lab-config.ts';
import { PHASES, type Phase, type PhaseName } from '../phases.ts';
import { argument, cpuSeconds, peakMiB, report } from './report.ts';

export interface RunArgument {
  readonly url: string;
  readonly key: string;
  readonly concurrency: number;
  readonly lake: string;
  /** Scheduled time, ISO. */
  readonly at: string;
  /** True: the run writes lake.duckdb. */
  readonly leaves?: true;
}

export interface RunMeasured {
  readonly status: string;
  readonly requests: number;
  /** The rows of all resource tables. */
  readonly rows: number;
  /** Without load and lake.duckdb. */
  readonly seconds: number;
  readonly phases: Readonly<Record<PhaseName, Phase>>;
  /** The most memory held until collect ended. */
  readonly collectPeakMiB: number;
}

const { url, key, concurrency, lake, at, leaves } = argument<RunArgument>();
let collectPeakMiB = 0;
const ends = new Map<PhaseName, { readonly at: number; readonly cpu: number }>();
/** A phase ends where it was said last. */
const end = (phase: PhaseName) => ends.set(phase, { at: performance.now(), cpu: cpuSeconds() });
end('load');

const alone = localServices(folderLake(lake), ({ stage }) => {
  if (stage === 'listed') end('list');
  if (stage === 'plan') {
    end('children');
    collectPeakMiB = peakMiB();
  }
  // Each unit says so when it ends; what follows the last one is commit.
  if (stage === 'publish') end('publish');
});
const local = leaves === true ? leavingDatabase(alone) : alone;
const services: typeof local = {
  ...local,
  lake: {
    ...local.lake,
    // Plan puts its units before it ends, publish begins by reading one.
    write: async (name, bytes, condition) => {
      if (name.endsWith('/plan.json')) end('plan');
      return await local.lake.write(name, bytes, condition);
    },
  },
  afterCommit: async (...head) => {
    end('commit');
    await local.afterCommit?.(...head);
    end('lake.duckdb');
  },
};
const secrets = { read: async () => ({ apiKey: key }) };
await using api = localApiServices(services, secrets);
const config = labConfig({ url, concurrency });
const summary = await runLocally(
  { scheduledTime: at },
  {
    ...api,
    config,
    client: (...given) => {
      if (!ends.has('start')) end('start');
      return api.client(...given);
    },
  },
);
const phases = phasesOf();
const measured: RunMeasured = {
  status: summary.status,
  requests: summary.requests,
  rows: Object.values(summary.tables).reduce((sum, { rows }) => sum + rows, 0),
  seconds: PHASES.filter((phase) => phase !== 'load' && phase !== 'lake.duckdb').reduce(
    (sum, phase) => sum + phases[phase].seconds,
    0,
  ),
  phases,
  collectPeakMiB,
};
report(measured);

function phasesOf(): Record<PhaseName, Phase> {
  let before = { at: 0, cpu: 0 };
  const named = PHASES.map((phase): [PhaseName, Phase] => {
    const ended = ends.get(phase) ?? before;
    const taken = { seconds: (ended.at - before.at) / 1000, cpuSeconds: ended.cpu - before.cpu };
    before = ended;
    return [phase, taken];
  });
  return Object.fromEntries(named) as Record<PhaseName, Phase>;
}
