import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { runLocally } from '#cli/run-locally.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { secretStore } from '#lib/config/secrets.ts';
import { inFile } from '#lib/config/secrets-file.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { ProgressEvent } from '#lib/runtime/services.ts';

/** One export in a process of its own. If told to, it kills itself with SIGKILL at the nth event of a stage. */
const [folder = '', runTime = '', unitBytes = 'Infinity', stage = '', nth = '1'] = process.argv.slice(2);
let events = 0;
const onProgress = (event: ProgressEvent): void => {
  if (event.stage !== stage) return;
  events += 1;
  if (events === Number(nth)) process.kill(process.pid, 'SIGKILL');
};
const config = await readConfig(`${folder}/config.json`);
const local = localServices(folderLake(`${folder}/lake`), onProgress);
const services = { ...local, unitBytes: Number(unitBytes) };
await using api = localApiServices(services, secretStore(inFile(`${folder}/secrets.json`)));
const summary = await runLocally({ scheduledTime: runTime }, { ...api, config });
process.stdout.write(JSON.stringify(summary));
