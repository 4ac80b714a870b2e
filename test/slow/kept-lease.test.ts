import { expect, it } from 'vitest';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { parseKey } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { readLease } from '#lib/lake/lease.ts';
import { interpret } from '#lib/runtime/state-machine.ts';
import { API_KEY, json, serve } from '../api/support/serve.ts';
import { begin } from '../support/begin.ts';
import { labSettings } from '../support/export-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { stagesWith } from '../support/runs.ts';
import { countedLake, virtualTime } from '../support/virtual-time.ts';

it('each stage keeps the lease while the lake takes an hour', async () => {
  let storing = 0;
  let isWaiting = false;
  await using time = virtualTime(new Date('2026-11-21T03:00:00Z'), () => storing > 0 || !isWaiting);
  await using folder = await temporaryFolder();
  const lake = countedLake(folderLake(folder.path), (more) => {
    storing += more;
  });
  await using server = await serve((request, response) => {
    json(response, /\/Players$/.test(request.url ?? '') ? '[{"Id":1}]' : '[]');
  });
  const config = parseConfig(JSON.stringify(labSettings(server.url)), 'lab.config.json');
  const held: Record<string, boolean> = {};
  /** The lake as a stage has it whose first file takes an hour. */
  const slowly = (stage: string): Lake => {
    const hour = async () => {
      if (held[stage] !== undefined) return;
      held[stage] = false;
      isWaiting = true;
      await time.sleep(3_600_000);
      isWaiting = false;
      const lease = await readLease(lake);
      held[stage] = lease !== undefined && new Date(lease.until) > time.now();
    };
    return {
      ...lake,
      localPaths: (keys) => hour().then(() => lake.localPaths(keys)),
      moveIn: (...call) => hour().then(() => lake.moveIn(...call)),
      write: async (key, ...call) => {
        if (parseKey(key)?.kind !== 'lease') await hour();
        return await lake.write(key, ...call);
      },
    };
  };
  const local = { ...localServices(lake), now: time.now, clock: time };
  await using services = localApiServices(local, { read: async () => ({ apiKey: API_KEY }) });
  const input = await begin({ sources: ['berlin'] }, { ...local, config });
  const stages = stagesWith((task) => ({ ...services, publishWidth: 1, lake: slowly(task) }));
  await interpret(input, stages);
  const holding = ['List', 'Collect', 'Plan', 'PublishUnit', 'Ledger', 'Commit'];
  expect(held).toEqual(Object.fromEntries(holding.map((task) => [task, true])));
});
