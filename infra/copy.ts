import { cpSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** `node infra/copy.ts FROM TO`: what a bundle needs beside its code, put there on any system. */
const [from = '', to = ''] = process.argv.slice(2);
mkdirSync(dirname(to), { recursive: true });
cpSync(from, to, { recursive: true });
