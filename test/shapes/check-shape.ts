import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSources } from '#cli/check-sources.ts';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { writeProposals } from '#cli/write-proposals.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { labFile } from '../support/export-lab.ts';
import { fixtureLab } from '../support/fixture-lab.ts';
import { dueOf, routesOf, sameTexts } from './run-shape.ts';
import { idFieldOf } from './serve-shape.ts';
import type { Shape } from './shape.ts';

/** Rounds in which `check --write` has to come to its end. */
const ROUNDS = 3;
const ALL_ROWS =
  "select player_id || ' ' || label as id from players union all select player_id || '/' || label from screens";

/** What `check --write` makes of a shape: `whole`, or what the run after it says. */
export async function checkShape(shape: Shape): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-check-'));
  await using lab = await fixtureLab(routesOf(shape, { day: 0, url: () => lab.server.url }));
  const file = join(folder, 'export.config.json');
  const resources = { players: { id: idFieldOf(shape) } };
  try {
    await writeFile(file, labFile(lab.server.url, { signage: { resources } }).text);
    const secrets = {
      read: async (name: string) =>
        name === 'lab/vault' ? { accessToken: 'fixture-token' } : { apiKey: 'fixture-key' },
    };
    for (let round = 1; round <= ROUNDS; round++) {
      const lake = folderLake(join(folder, `lake-${round}`));
      await using services = localApiServices(localServices(lake), secrets, () => 0);
      const written = { file, text: await readFile(file, 'utf8') };
      const { proposals } = await checkSources(written, services);
      if ((await writeProposals(written, proposals)).length === 0) break;
    }
    const text = await readFile(file, 'utf8');
    const [berlin] = parseConfig(text, file).sources;
    const run = await lab.run('2026-11-20T03:00:00Z', undefined, {
      signage: { resources: berlin?.resources ?? {} },
    });
    const [source] = run.sources;
    if (source?.status !== 'complete') return `${source?.error?.code} ${source?.error?.message}`;
    const rows = await lab.rows(ALL_ROWS);
    return sameTexts(
      rows.map(({ id }) => String(id)),
      dueOf(shape, 0),
    )
      ? 'whole'
      : `SHORT: ${rows.length} rows`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
