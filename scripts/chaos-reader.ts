import { setTimeout as pause } from 'node:timers/promises';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { readHead } from '#lib/lake/head.ts';
import { contentHash } from './content-hash.ts';

/** The tables of a report, which must never be of two runs. */
export const READ_TABLES = [
  'players',
  'screens',
  'pending_file_transfers',
  'outcomes',
  'screens_daily',
  'changes',
];

/** Reads the tables of a lake again and again, and prints a line for each reading: the hashes, or the error. */
if (import.meta.main) {
  const lake = folderLake(process.argv[2] ?? '');
  process.stdin.resume().once('end', () => process.exit(0));
  for (;;) {
    try {
      if ((await readHead(lake)) !== undefined) {
        process.stdout.write(`${JSON.stringify(await contentHash(lake, READ_TABLES))}\n`);
      }
    } catch (error) {
      process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`);
    }
    await pause(400);
  }
}
