import { writeFile } from 'node:fs/promises';
import { tablesPage } from './tables-page.ts';

/** `npm run docs`: writes what is generated in docs/. */
await writeFile(new URL('../docs/tables.md', import.meta.url), await tablesPage());
