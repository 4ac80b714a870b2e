import { RECOVERY, type Way } from '#cli/recovery.ts';
import { withRows } from './page-parts.ts';

/** docs/run/recovery.md with the table that `run` and `status` print from; words in capitals are of the reader's lake. */
export function recoveryPage(page: string): string {
  const rows = Object.values(RECOVERY).map(({ seen, first, commands }: Way) => {
    const lines = commands.map((command) => `\`${command}\``);
    return [seen, first, lines.join(', then ')];
  });
  return withRows(page, 'situation', rows);
}
