import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { circlesOf, climbing, importsIn, importsOf, sourceFiles } from './support/import-graph.ts';
import { LAYERS } from './support/layers.ts';

/** More files than this in one folder of lib, and nobody finds one by looking. */
const FILES_OF_A_FOLDER = 20;

const files = sourceFiles(/^(lib|functions|infra|cli|simulator)\//);
const imports = importsOf(files);
/** What is there at run time: types are no dependency then. */
const loaded = imports.filter(({ isType }) => !isType);

const isOutside = (from: string) => !/^(node:|(lib|functions|infra|cli|simulator|queries|test)\/)/.test(from);
const packageOf = (from: string) =>
  from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
const offenders = (where: RegExp, what: RegExp) =>
  loaded
    .filter(({ file, from }) => where.test(file) && what.test(from))
    .map(({ file, from }) => `${file} imports ${from}`);

describe('the layers of lib', () => {
  it('are imported downwards only, types included', () => {
    expect(climbing(imports, LAYERS)).toEqual([]);
  });

  it('name every folder of lib', () => {
    const rooms = new Set(files.filter((file) => /^lib\/.+\//.test(file)).map((file) => file.split('/')[1]));
    expect([...rooms].filter((room) => !LAYERS.flat().includes(room ?? ''))).toEqual([]);
  });

  it('hold no circle of files, nor do the command line, infra, the simulator and the bench', () => {
    expect(circlesOf(importsOf(sourceFiles(/^(lib|functions|infra|cli|simulator|bench|scripts)\//)))).toEqual(
      [],
    );
  });

  it('have at most 20 files in a folder', () => {
    const folders = Map.groupBy(
      files.filter((file) => file.startsWith('lib/')),
      (file) => dirname(file),
    );
    expect([...folders].filter(([, own]) => own.length > FILES_OF_A_FOLDER).map(([name]) => name)).toEqual(
      [],
    );
  });

  it.each([
    [
      'a stage that imports a stage',
      'lib/plan/plan.ts',
      "import type { UnitContext } from '../publish/unit-context.ts';",
    ],
    [
      'a layer that imports one above it',
      'lib/schema/schema.ts',
      "import { config } from '../config/config.ts';",
    ],
    ['the ground that imports a layer', 'lib/errors.ts', "import { lakeKey } from './lake/keys.ts';"],
    ['lib that imports a function', 'lib/run/unit.ts', "import { publish } from '#functions/publish.ts';"],
  ])('are judged: %s is found', (_, file, text) => {
    expect(climbing(importsIn(file, text), LAYERS)).toHaveLength(1);
  });

  it('are judged: a circle of three files is found, types included', () => {
    const circle = [
      importsIn('lib/a.ts', "import { b } from './b.ts';"),
      importsIn('lib/b.ts', "export type { C } from './plan/c.ts';"),
      importsIn('lib/plan/c.ts', "import {\n  type A,\n} from '../a.ts';"),
      importsIn('lib/d.ts', "import { a } from './a.ts';"),
    ].flat();
    expect(circlesOf(circle)).toEqual([['lib/a.ts', 'lib/b.ts', 'lib/plan/c.ts']]);
  });
});

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
    expect(offenders(/^simulator\//, /^(cli|functions|lib)\/(?!sources\/resources\.ts)/)).toEqual([]);
  });

  it('every outside dependency but zod has one importer in lib, and DuckDB is opened by one module', () => {
    const importers = Map.groupBy(
      loaded.filter(
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
    const byFile = Map.groupBy(loaded, ({ file }) => file);
    const reach = (entry: string): ReadonlySet<string> => {
      const seen = new Set<string>();
      const visit = (file: string): void => {
        if (seen.has(file)) return;
        seen.add(file);
        for (const { from } of byFile.get(file) ?? []) visit(isOutside(from) ? packageOf(from) : from);
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
