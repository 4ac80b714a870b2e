import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalApiServices, localApiServices } from '#cli/local-api-services.ts';
import { LOCAL_HOLDER, localServices } from '#cli/local-services.ts';
import type { Config } from '#lib/config/config.ts';
import type { SecretStore } from '#lib/config/secrets.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { Lake } from '#lib/lake/lake.ts';
import type { Services, SharedDuckDb } from '#lib/runtime/services.ts';
import { sharedDuckDb } from '#lib/runtime/stage-duckdb.ts';

/** What a lab gives a run in place of a laptop's services; the lake is always its own. */
export type LabPlace = Pick<Services, 'lake'> & Partial<Services>;

/** A laptop's services for one run of a lab. An earlier run has left its DuckDB: to open one takes a quarter of the run. */
export function labServices(place: LabPlace, secrets: SecretStore, random?: () => number): LocalApiServices {
  const local = { ...localServices(place.lake), threads: 1, ...place };
  const api = localApiServices(local, secrets, random);
  const duckDb = idle.pop() ?? openShared();
  return {
    ...api,
    duckDb,
    [Symbol.asyncDispose]: async () => {
      await api[Symbol.asyncDispose]();
      idle.push(duckDb);
    },
  };
}

/** What an operator does to the lake of a lab is done with these; it calls no API. */
export function operatorServices({ lake, config }: { readonly lake: Lake; readonly config: Config }) {
  const read = () => Promise.reject(new Error('an operator asks for no secret'));
  return { ...labServices({ lake }, { read }), ...LOCAL_HOLDER, config };
}

/** Those that no run uses. Runs that go on at the same time have one each. */
const idle: SharedDuckDb[] = [];

/** It reaches the lakes of all labs, which lie in the temporary folder. */
function openShared(): SharedDuckDb {
  const folder = mkdtempSync(join(tmpdir(), 'signage-export-duckdb-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const lake = { ...folderLake(folder), folders: [tmpdir()] };
  return sharedDuckDb({ ...localServices(lake), threads: 1 });
}
