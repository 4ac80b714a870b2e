import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { COMMANDS_PAGES, commandsPage } from './commands-page.ts';
import { decisionsPage } from './decisions-page.ts';
import { eventSchemas, eventsPage } from './events-page.ts';
import { recoveryPage } from './recovery-page.ts';
import { columnsOfViews, typedColumns, withReferenceTables } from './reference-tables.ts';
import { TABLES_PAGES, tablesPage } from './tables-page.ts';

const DOCS = new URL('../docs/', import.meta.url);

/** `npm run docs`: writes what is made of docs/, and the types of the views' columns if a view has new columns. */
await rewrite('decisions/README.md', decisionsPage);
for (const name of COMMANDS_PAGES) await rewrite(name, (page) => commandsPage(name, page));
await rewrite('run/events.md', eventsPage);
await rewrite('run/events.schema.json', eventSchemas);
await rewrite('run/recovery.md', recoveryPage);
await withReferenceTables(async (tables) => {
  for (const name of TABLES_PAGES) await rewrite(`read/${name}`, (page) => tablesPage(name, page, tables));
  if (isDeepStrictEqual(await columnsOfViews(tables), await typedColumns())) return;
  process.stderr.write(
    'A view has other columns than queries/columns.json: Trino is asked for their types.\n',
  );
  process.exitCode = spawnSync('npm', ['run', '-s', 'views'], { stdio: 'inherit' }).status ?? 1;
});

async function rewrite(name: string, change: (page: string) => string | Promise<string>): Promise<void> {
  const file = new URL(name, DOCS);
  await writeFile(file, await change(await readFile(file, 'utf8')));
}
