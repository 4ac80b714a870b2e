import { KEPT_MS } from '../commit/released.ts';
import type { Config } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import { DamagedTable } from '../lake/damaged-file.ts';
import { type Head, readRunHead } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import { listKeys } from '../lake/list-keys.ts';
import { replacedFiles } from '../lake/named-files.ts';
import type { Services } from '../runtime/services.ts';
import { rollbackTarget } from './rollback.ts';
import { repairable } from './start-repair.ts';
import { unanswered } from './unanswered.ts';

/** Heads that are looked at for a rollback, the newest first. */
const LOOKED_AT = 14;

/** What can be had again of what was committed. */
export interface WayBack {
  /** The newest run: listings that `repair` would ask for; null where none. */
  readonly repair: {
    readonly runId: string;
    readonly listings: number;
    readonly until: string | null;
  } | null;
  /** Why the newest run can no longer be repaired; null where it can, or need not. */
  readonly tooLate: string | null;
  /** Runs that `rollback` can commit anew, for they show nothing that the config hides; newest first, and when the first of their files goes; null = not soon. */
  readonly rollbacks: readonly {
    readonly runId: string;
    readonly date: string;
    readonly until: string | null;
  }[];
  /** The first date from which `rebuild` has every raw answer; null where it has none. */
  readonly rebuildFrom: string | null;
}

/** What can be repaired, rolled back and rebuilt, and until when. */
export async function wayBack(
  head: Head,
  services: Services & { readonly config: Config | undefined },
): Promise<WayBack> {
  const { lake, config } = services;
  const listings = await unansweredListings(head, services);
  const tooLate = listings === 0 ? null : await whyNot(() => repairable(lake, head));
  const previous = head.previous === null ? undefined : await readRunHead(lake, head.previous);
  const canRepair = listings > 0 && tooLate === null;
  return {
    repair: canRepair ? { runId: head.runId, listings, until: untilOf(head, previous) } : null,
    tooLate,
    rollbacks: await rollbacks(lake, { head, config }),
    rebuildFrom: await rebuildFrom(lake, head),
  };
}

/** None where the file that names them is damaged or missing. */
async function unansweredListings(head: Head, services: Services): Promise<number> {
  try {
    return (await unanswered(head, services)).length;
  } catch (error) {
    if (error instanceof DamagedTable) return 0;
    throw error;
  }
}

async function rollbacks(
  lake: Lake,
  { head, config }: { readonly head: Head; readonly config: Config | undefined },
): Promise<WayBack['rollbacks']> {
  const runs: string[] = [];
  for await (const { runId } of listKeys(lake, 'runHead')) if (runId !== head.runId) runs.push(runId);
  const found: { runId: string; date: string; until: string | null }[] = [];
  for (const runId of runs.reverse().slice(0, LOOKED_AT)) {
    const why = await whyNot(async () => {
      const target = await rollbackTarget(lake, { runId, committed: head, config });
      found.push({ runId, date: target.exportDate, until: untilOf(head, target) });
    });
    if (why !== null) continue;
  }
  return found;
}

/** When the first file goes that the earlier head names and the committed one does not. */
function untilOf(head: Head, earlier: Head | undefined): string | null {
  if (earlier === undefined) return null;
  const replaced = new Set(
    replacedFiles(earlier, head).map(({ table, date, run }) => `${table} ${date} ${run}`),
  );
  const times = head.released
    .filter(({ table, date, run }) => replaced.has(`${table} ${date} ${run}`))
    .map(({ at }) => Date.parse(at) + KEPT_MS);
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}

/** Walks back as long as the raw answers are there. */
async function rebuildFrom(lake: Lake, head: Head): Promise<string | null> {
  const withRaw = new Set<string>();
  for await (const { runId } of listKeys(lake, 'raw')) withRaw.add(runId);
  let from: string | null = null;
  let each: Head | undefined = head;
  while (each !== undefined && withRaw.has(each.runId)) {
    from = each.exportDate;
    each = each.previous === null ? undefined : await readRunHead(lake, each.previous);
  }
  return each !== undefined && each.exportDate === from ? null : from;
}

async function whyNot(step: () => Promise<unknown>): Promise<string | null> {
  try {
    await step();
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}
