import { readFileSync } from 'node:fs';

const GENERATED = new URL('../node_modules/parquetjs-lite/gen-nodejs/parquet_types.js', import.meta.url);

/**
 * What stands before a bundle's code. Packages in CommonJS ask for Node's own modules by require. And the code that
 * Thrift generated for parquetjs-lite assigns to names that it never declares, which only sloppy mode allows: they are
 * made here, on the global object, as sloppy mode would.
 */
export function bundleBanner(): string {
  const text = readFileSync(GENERATED, 'utf8');
  const names = [...text.matchAll(/^(\w+) = module\.exports\.\1 = /gm)].map(([, name]) => name);
  // A short name would meet one that the minifier makes.
  const require = `import{createRequire as makeRequireOfBundle}from'node:module';const require=makeRequireOfBundle(import.meta.url);`;
  return `${require}Object.assign(globalThis,{${names.map((name) => `${name}:undefined`).join()}});`;
}
