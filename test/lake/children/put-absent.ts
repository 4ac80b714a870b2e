import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { ConditionFailed } from '#lib/lake/lake.ts';

/** Puts its own process id under each of COUNT keys where they are absent; prints the keys that it won. */
const [path = '', count = '0'] = process.argv.slice(2);
const lake = folderLake(path);
const won: string[] = [];
for (let each = 0; each < Number(count); each += 1) {
  const key = `state/put-${each}.json`;
  try {
    await lake.write(key, Buffer.from(String(process.pid)), { absent: true });
    won.push(key);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
process.stdout.write(JSON.stringify(won));
