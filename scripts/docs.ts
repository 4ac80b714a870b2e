import { writeFile } from 'node:fs/promises';
import { decisionsPage } from './decisions-page.ts';
import { tablesPage } from './tables-page.ts';

const DOCS = new URL('../docs/', import.meta.url);

/** `npm run docs`: writes what is generated in docs/. */
await writeFile(new URL('decisions/README.md', DOCS), await decisionsPage());
await writeFile(new URL('tables.md', DOCS), await tablesPage());
