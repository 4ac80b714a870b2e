import { pathToFileURL } from 'node:url';
import { argument, report, timed } from './report.ts';

/** Imports a bundle as Lambda does. */
const { path } = argument<{ readonly path: string }>();
const seconds = await timed(() => import(pathToFileURL(path).href));
report({ seconds });
