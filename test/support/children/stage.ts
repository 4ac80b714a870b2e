import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { localApiServices } from '#cli/local-api-services.ts';
import { secretStore } from '#lib/config/secrets.ts';
import { inFile } from '#lib/config/secrets-file.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import type { StageCall, StageReply } from '../stage-processes.ts';

/** As lib/lambda/with-services.ts. */
const NODE_MIB = 512;
const MIB_A_THREAD = 1769;

/** One stage in a process of its own, with what its Lambda would have: calls come as messages, one at a time. */
export async function serveStage(stage: (event: unknown, services: ApiServices) => Promise<unknown>) {
  const [folder = '', memory = '0'] = process.argv.slice(2);
  const memoryMiB = Number(memory);
  const lake = folderLake(`${folder}/lake`);
  const secrets = secretStore(inFile(`${folder}/secrets.json`));
  const answerTo = async ({ event }: StageCall): Promise<StageReply> => {
    const local = {
      lake,
      now: () => new Date(),
      timeLeft: () => 890_000,
      memoryLimitMiB: Math.max(256, memoryMiB - NODE_MIB),
      threads: Math.max(1, Math.min(6, Math.round(memoryMiB / MIB_A_THREAD))),
      publishWidth: 4,
      // The bundle of this file lies elsewhere than the sources.
      views: pathToFileURL(`${process.cwd()}/queries/`),
      onProgress: () => {},
    };
    const peakMiB = () => Math.round(process.resourceUsage().maxRSS / 1024);
    try {
      await using api = localApiServices(local, secrets, () => 0);
      const { duckDb: _, ...own } = api;
      return { answer: await stage(event, own), peakMiB: peakMiB() };
    } catch (error) {
      const { name: kind, message } = error instanceof Error ? error : new Error(String(error));
      return { thrown: { name: kind, message }, peakMiB: peakMiB() };
    }
  };
  process.on('message', async (call: StageCall) => {
    process.send?.(await answerTo(call));
  });
  // A process that nobody tells to end does not outlive its test by more than this.
  await delay(30 * 60_000, undefined, { ref: false });
}
