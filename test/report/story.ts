import { parseConfig } from '#lib/config/parse-config.ts';
import { startSimulator } from '#simulator/server.ts';
import { type ClockedLake, clockedLake } from '../queries/clocked-lake.ts';

const DAY_MS = 86_400_000;

export interface StoryOptions {
  readonly players: number;
  readonly days: number;
  /** Days without a run, from 0. */
  readonly gap?: readonly number[];
  /** The last day, at 03:00 UTC. @default today */
  readonly lastDay?: string;
}

/** A lake of two signage sources and a backup source over some days, as an operator would have it. */
export async function storyLake(options: StoryOptions): Promise<ClockedLake> {
  const last = Date.parse(`${options.lastDay ?? new Date().toISOString().slice(0, 10)}T03:00:00Z`);
  const first = last - (options.days - 1) * DAY_MS;
  const startDate = new Date(first).toISOString().slice(0, 10);
  const berlin = await startSimulator({ players: options.players, startDate });
  const zurich = await startSimulator({ players: Math.ceil(options.players / 4), startDate, seed: 7 });
  const fast = { concurrency: 50, requestsPerSecond: null };
  const config = parseConfig(
    JSON.stringify({
      name: 'retail',
      schedule: 'cron(0 3 * * ? *)',
      timeZone: 'Europe/Berlin',
      sources: [
        { name: 'berlin', kind: 'signage', secret: 'signage', baseUrl: berlin.url, ...fast },
        { name: 'zurich', kind: 'signage', secret: 'zurich', baseUrl: zurich.url, ...fast },
        { name: 'vault', kind: 'backup', secret: 'backup', accountId: '1042', baseUrl: berlin.url, ...fast },
      ],
    }),
    'story.config.json',
  );
  const lake = await clockedLake(config, {
    read: async (name) =>
      name === 'backup' ? berlin.secrets.backup : (name === 'zurich' ? zurich : berlin).secrets.signage,
  });
  for (let day = 0; day < options.days; day++) {
    if (options.gap?.includes(day)) continue;
    berlin.day = day;
    zurich.day = day;
    await lake.run(new Date(first + day * DAY_MS).toISOString());
  }
  await berlin.close();
  await zurich.close();
  return lake;
}
