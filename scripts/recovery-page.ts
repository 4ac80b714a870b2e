import { RECOVERY, type Way } from '#cli/recovery.ts';

/** docs/run/recovery.md with the table that `run` and `status` print from; words in capitals are of the reader's lake. */
export function recoveryPage(page: string): string {
  const here = { names: ['NAME'], date: 'DATE', run: 'RUN_ID', time: 'TIME' };
  const rows = Object.values(RECOVERY).map(({ seen, first, commands }: Way) => {
    const lines = commands(here).map((words) => `\`${words.join(' ')}\``);
    return `| ${seen} | ${first} | ${lines.join(', then ')} |`;
  });
  const table = ['| situation | first | command |', '| --- | --- | --- |', ...rows].join('\n');
  return page.replace(/^\| situation \|.*(?:\n\|.*)*/m, () => table);
}
