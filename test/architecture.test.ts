import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /^(lib|functions|infra|cli|simulator)\//.test(file) && !file.endsWith('.d.ts'));

interface Import {
  readonly file: string;
  readonly from: string;
}

const imports: readonly Import[] = files.flatMap((file) => {
  const text = readFileSync(file, 'utf8');
  // Types are no dependency at run time: a second file may name one.
  const found = text.replaceAll(/import type [^;]*;/g, '').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...found].map(([, from]) => ({ file, from: from ?? '' }));
});

const isOutside = (from: string) => !/^(\.|#|node:)/.test(from);
const packageOf = (from: string) =>
  from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
const offenders = (where: RegExp, what: RegExp) =>
  imports
    .filter(({ file, from }) => where.test(file) && what.test(from))
    .map(({ file, from }) => `${file} imports ${from}`);

describe('the folders keep their rules', () => {
  it('finds the imports that it judges', () => {
    expect(imports.length).toBeGreaterThan(100);
  });

  it('infra, which runs at synth time, imports no AWS SDK and no HTTP client', () => {
    expect(offenders(/^infra\//, /^(@aws-sdk|ky|undici)/)).toEqual([]);
  });

  it('lib, functions and the command line import no CDK', () => {
    expect(offenders(/^(lib|functions|cli|simulator)\//, /^(aws-cdk|constructs|cdk-)/)).toEqual([]);
  });

  it('lib imports neither functions nor the command line nor the simulator, functions no command line', () => {
    expect(offenders(/^lib\//, /(functions|cli|simulator|infra)\//)).toEqual([]);
    expect(offenders(/^functions\//, /(cli|simulator)\//)).toEqual([]);
    expect(offenders(/^simulator\//, /#?(cli|functions|lib)\/(?!resources\.ts)/)).toEqual([]);
  });

  it('every outside dependency but zod has one importer in lib, and DuckDB is opened by one module', () => {
    const importers = Map.groupBy(
      imports.filter(
        ({ file, from }) => /^(lib|functions)\//.test(file) && isOutside(from) && packageOf(from) !== 'zod',
      ),
      ({ from }) => packageOf(from),
    );
    const several = [...importers].map(
      ([name, by]) => [name, [...new Set(by.map(({ file }) => file))]] as const,
    );
    expect(several.filter(([, by]) => by.length > 1)).toEqual([]);
  });

  it('only one file reads process.env', () => {
    const readers = files.filter(
      (file) => /^(lib|functions)\//.test(file) && readFileSync(file, 'utf8').includes('process.env'),
    );
    expect(readers.filter((file) => file !== 'lib/runtime/environment.ts')).toEqual([]);
  });

  it('the stages that call no API import no API client, and those that call one no DuckDB', () => {
    const reach = (entry: string): ReadonlySet<string> => {
      const seen = new Set<string>();
      const visit = (file: string): void => {
        if (seen.has(file)) return;
        seen.add(file);
        const text = readFileSync(file, 'utf8');
        for (const [statement, from] of text.matchAll(/^(?:import|export)[^;]*?from '([^']+)';/gm)) {
          if (/^(import|export) type/.test(statement) || from === undefined) continue;
          if (isOutside(from)) seen.add(packageOf(from));
          else if (from.startsWith('#')) visit(from.slice(1));
          else if (from.startsWith('.')) visit(new URL(from, `file:///${file}`).pathname.slice(1));
        }
      };
      visit(entry);
      return seen;
    };
    for (const stage of ['plan', 'publish', 'commit', 'sweep']) {
      expect([...reach(`functions/${stage}.ts`)], stage).not.toContain('ky');
    }
    for (const stage of ['list', 'collect', 'sweep', 'commit']) {
      expect([...reach(`functions/${stage}.ts`)], stage).not.toContain('@duckdb/node-api');
    }
  });

  it('no file is over 350 lines and the median of lib is at most 120', () => {
    const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1;
    expect(files.filter((file) => lines(file) > 350)).toEqual([]);
    const sorted = files
      .filter((file) => file.startsWith('lib/'))
      .map(lines)
      .sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(120);
  });

  it('handlers are thin', () => {
    const handlers = files.filter((file) => file.startsWith('functions/'));
    expect(handlers.length).toBeGreaterThanOrEqual(6);
    expect(handlers.filter((file) => readFileSync(file, 'utf8').split('\n').length > 60)).toEqual([]);
  });
});
