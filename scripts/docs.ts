import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { commandsPage } from './commands-page.ts';
import { decisionsPage } from './decisions-page.ts';
import { eventsPage } from './events-page.ts';
import { withReferenceTables } from './reference-tables.ts';
import { tablesPage } from './tables-page.ts';
import { columnsOfViews, typedColumns } from './view-columns.ts';

const DOCS = new URL('../docs/', import.meta.url);

/** `npm run docs`: writes the generated pages of docs/, and the types of the views' columns if a view has new columns. */
await writeFile(new URL('decisions/README.md', DOCS), await decisionsPage());
await writeFile(new URL('commands.md', DOCS), await commandsPage());
await writeFile(new URL('events.md', DOCS), eventsPage());
await withReferenceTables(async (tables) => {
  await writeFile(new URL('tables.md', DOCS), await tablesPage(tables));
  if (isDeepStrictEqual(await columnsOfViews(tables), await typedColumns())) return;
  process.stderr.write(
    'A view has other columns than queries/columns.json: Trino is asked for their types.\n',
  );
  process.exitCode = spawnSync('npm', ['run', '-s', 'views'], { stdio: 'inherit' }).status ?? 1;
});
