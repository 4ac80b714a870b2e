import { cpSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** `node infra/copy.ts FROM TO`: copies a file or folder beside a bundle, on any operating system. */
const [from = '', to = ''] = process.argv.slice(2);
mkdirSync(dirname(to), { recursive: true });
cpSync(from, to, { recursive: true });
