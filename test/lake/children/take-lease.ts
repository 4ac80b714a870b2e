import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { takeLease } from '#lib/lake/lease.ts';
import { processHasEnded, thisProcess } from '#lib/runtime/holder.ts';

/** Takes the lease for a run; prints its attempt, or the code of the error, and stays alive until it is killed. */
const [path = '', runId = ''] = process.argv.slice(2);
setInterval(() => {}, 60_000);
const now = new Date();
try {
  const lease = await takeLease({
    lake: folderLake(path),
    runId,
    holder: thisProcess(),
    holderHasEnded: processHasEnded,
    now,
    until: new Date(now.getTime() + 3_600_000),
    headAttempt: 0,
  });
  process.stdout.write(`attempt ${lease.attempt}`);
} catch (error) {
  process.stdout.write(error instanceof Error ? error.name : String(error));
}
