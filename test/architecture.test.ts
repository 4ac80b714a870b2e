import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  circlesOf,
  exportsIn,
  type Import,
  importsOf,
  misplaced,
  UNREADABLE,
} from './support/import-graph.ts';
import { ALLOWED, LAYERS } from './support/layers.ts';
import { sourceFiles } from './support/syntax.ts';

/** More files than this in one folder of lib, and nobody finds one by looking. */
const FILES_OF_A_FOLDER = 20;

const files = sourceFiles(/^(lib|functions|infra|cli|simulator)\//);
const imports = importsOf(files);
/** Those of all folders; the bench and the tests load what they have just built, by names made at run time. */
const allImports = importsOf(sourceFiles(new RegExp(`^(${Object.keys(ALLOWED).join('|')})/`))).filter(
  ({ file, from }) => from !== UNREADABLE || !/^(bench|test)\//.test(file),
);
const RULES = { layers: LAYERS, allowed: ALLOWED };
/** What is there at run time: types are no dependency then. */
const loaded = imports.filter(({ isType }) => !isType);

const isOutside = (from: string) =>
  !from.startsWith('node:') && !Object.hasOwn(ALLOWED, from.split('/')[0] ?? '');
const packageOf = (from: string) =>
  from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
const offenders = (where: RegExp, what: RegExp) =>
  loaded
    .filter(({ file, from }) => where.test(file) && what.test(from))
    .map(({ file, from }) => `${file} imports ${from}`);

describe('the folders and the layers of lib', () => {
  it('are imported downwards only, types included', () => {
    expect(misplaced(allImports, RULES)).toEqual([]);
  });

  it('have a place in the table of what may import what', () => {
    const tops = new Set(sourceFiles(/\//).map((file) => file.split('/')[0]));
    expect([...tops].sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  it('name every folder of lib', () => {
    const rooms = new Set(files.filter((file) => /^lib\/.+\//.test(file)).map((file) => file.split('/')[1]));
    expect([...rooms].filter((room) => !LAYERS.flat().includes(room ?? ''))).toEqual([]);
  });

  it('hold no circle of files, nor do the command line, infra, the simulator and the bench', () => {
    expect(circlesOf(allImports)).toEqual([]);
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
});

/** What is exported although no other file of the product imports it, and why. */
const EXPORTED_FOR: Readonly<Record<string, string>> = {
  'functions/NAME.ts handler': 'Lambda calls it',
  'cli/demo.ts DEMO_QUESTIONS': 'compared with the view that answers the same',
  'cli/restart-with-little-memory.ts LITTLE_MEMORY': 'the bench runs its own process with it',
  'cli/run.ts parseRunTime': 'tried time by time',
  'cli/run.ts refuseBackdated': 'tried time by time',
  'cli/run-locally.ts runLocally': 'tests export with services of their own',
  'cli/schedule.ts configNow': 'tried with a config that becomes wrong',
  'cli/schedule.ts keepSchedule': 'tried with a clock that a test sets',
  'cli/simulate.ts writeSimulatedConfig': 'a test lets two simulators write into one folder',
  'infra/alarms.ts anchor': 'each heading of the runbook is compared with it',
  'infra/bundle.ts bundleStage': 'the bench and the test of sizes build what CDK builds',
  'infra/execution-policy.ts executionPolicies': 'a test asks it for every kind of template',
  'lib/api/body/body.ts MEMORY_BYTES': 'a test sends a body just above it',
  'lib/api/contract/gone-proof.ts textShape': 'compared for two parents',
  'lib/api/page-answer.ts inPieces': 'a test reads a body of as many values as are allowed',
  'lib/api/call/judge.ts FAULT_POLICY': 'tested row by row',
  'lib/api/call/judge.ts STATUS_POLICY': 'tested row by row',
  'lib/api/call/judge.ts ruleOfStatus': 'a status that no row has',
  'lib/aws/s3-lake.ts parseS3Name': 'a table of names, without S3',
  'lib/lake/keys.ts KEY_KINDS': 'each kind of key is written and read back',
  'lib/news/events.ts EVENT_DETAILS':
    'docs/run/events.md says the shapes, and what is sent is compared with them',
  'lib/report/read-news.ts KINDS': 'each kind of news has a German name',
  'lib/report/workbook/workbook-columns.ts SHARE_DIGITS': 'shares are rounded down to what a sheet shows',
  'lib/runtime/metrics.ts metricsLine': 'the form that CloudWatch reads',
  'lib/runtime/state-machine.ts PAYLOAD_LIMIT': 'compared with what the definition hands on',
};

/** Exported values, each as `file name`, that no other product file imports. */
const exportedForNobody = (of: readonly string[], by: readonly Import[]): readonly string[] => {
  const isProduct = (file: string) => /^(lib|cli|infra|functions)\//.test(file);
  const users = Map.groupBy(
    by.filter(({ file, from }) => file !== from && isProduct(file)),
    ({ from }) => from,
  );
  return of.filter(isProduct).flatMap((file) => {
    const taken = new Set((users.get(file) ?? []).flatMap(({ names }) => names));
    if (taken.has('*')) return [];
    const names = exportsIn(file, readFileSync(file, 'utf8')).filter((name) => !taken.has(name));
    return names.map((name) =>
      `${file} ${name}`.replace(/^functions\/\w+\.ts handler$/, 'functions/NAME.ts handler'),
    );
  });
};

describe('what is exported', () => {
  const found = new Set(exportedForNobody(files, imports));

  it('is imported by another file of the product, or says for which test it is there', () => {
    expect([...found].sort()).toEqual(Object.keys(EXPORTED_FOR).sort());
  });

  it('is imported by a test where it is there for one', () => {
    const tested = new Set(
      allImports
        .filter(({ file }) => /^(test|bench)\//.test(file))
        .flatMap(({ from, names }) => names.map((name) => `${from} ${name}`)),
    );
    const handlers = 'functions/NAME.ts handler';
    expect([...found].filter((each) => each !== handlers && !tested.has(each))).toEqual([]);
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

  it('every outside dependency but zod and ky has one importer in lib, and DuckDB is opened by one module', () => {
    const importers = Map.groupBy(
      loaded.filter(
        ({ file, from }) =>
          /^(lib|functions)\//.test(file) && isOutside(from) && !['zod', 'ky'].includes(packageOf(from)),
      ),
      ({ from }) => packageOf(from),
    );
    const several = [...importers].map(
      ([name, by]) => [name, [...new Set(by.map(({ file }) => file))]] as const,
    );
    expect(several.filter(([, by]) => by.length > 1)).toEqual([]);
  });

  it('nobody imports z of zod by its name, with which the package gets all of zod and its 50 languages', () => {
    const whole = files.filter((file) => /\{[^}]*\bz\b[^}]*\} from 'zod'/.test(readFileSync(file, 'utf8')));
    expect(whole).toEqual([]);
  });

  it('only one file reads process.env', () => {
    const readers = files.filter(
      (file) => /^(lib|functions)\//.test(file) && readFileSync(file, 'utf8').includes('process.env'),
    );
    expect(readers.filter((file) => file !== 'lib/runtime/environment.ts')).toEqual([]);
  });

  it('one file makes folders with those above them, for Node tries for ever to make some', () => {
    const makers = files.filter(
      (file) =>
        /^(lib|functions|cli|infra|simulator)\//.test(file) &&
        /\bmkdir(Sync)?\([^;]*\brecursive: true/.test(readFileSync(file, 'utf8')),
    );
    expect(makers).toEqual([]);
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

  it('no file is over 250 lines, tests included, and the median of lib is at most 120', () => {
    const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1;
    expect(sourceFiles(/\//).filter((file) => lines(file) > 250)).toEqual([]);
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
