import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { ConditionFailed } from '#lib/lake/lake.ts';

/** Adds 1 to the number under a key, TIMES times, by compare and swap; says how often it lost a race. */
const [path = '', times = '0'] = process.argv.slice(2);
const lake = folderLake(path);
let done = 0;
let lost = 0;
while (done < Number(times)) {
  const stored = await lake.read('state/head.json');
  const next = Buffer.from(String(Number(stored?.bytes ?? 0) + 1));
  try {
    await lake.write(
      'state/head.json',
      next,
      stored === undefined ? { absent: true } : { match: stored.etag },
    );
    done += 1;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    lost += 1;
  }
}
process.stdout.write(String(lost));
