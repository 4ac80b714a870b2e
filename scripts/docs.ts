import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { COMMANDS_PAGES, commandsPage } from './commands-page.ts';
import { decisionsPage } from './decisions-page.ts';
import { eventSchemas, eventsPage } from './events-page.ts';
import { recoveryPage } from './recovery-page.ts';
import { withReferenceTables } from './reference-tables.ts';
import { tablesPages } from './tables-page.ts';
import { columnsOfViews, typedColumns } from './view-columns.ts';

const DOCS = new URL('../docs/', import.meta.url);

/** `npm run docs`: writes the generated pages of docs/, and the types of the views' columns if a view has new columns. */
await writeFile(new URL('decisions/README.md', DOCS), await decisionsPage());
for (const page of COMMANDS_PAGES) await writeFile(new URL(page, DOCS), await commandsPage(page));
await writeFile(new URL('run/events.md', DOCS), eventsPage());
await writeFile(new URL('run/events.schema.json', DOCS), eventSchemas());
const recovery = new URL('run/recovery.md', DOCS);
await writeFile(recovery, recoveryPage(await readFile(recovery, 'utf8')));
await withReferenceTables(async (tables) => {
  for (const [page, content] of Object.entries(await tablesPages(tables)))
    await writeFile(new URL(`read/${page}`, DOCS), content);
  if (isDeepStrictEqual(await columnsOfViews(tables), await typedColumns())) return;
  process.stderr.write(
    'A view has other columns than queries/columns.json: Trino is asked for their types.\n',
  );
  process.exitCode = spawnSync('npm', ['run', '-s', 'views'], { stdio: 'inherit' }).status ?? 1;
});
