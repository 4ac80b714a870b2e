import type { CommandEntry } from './command-entry.ts';

/** All commands, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    group: 'daily',
    description:
      'write the first config and its secrets by a few questions, and check them; --add adds a source',
    load: async () => (await import('./init.ts')).addInit,
  },
  {
    name: 'check',
    group: 'daily',
    description:
      'call every listing a few times and say what was found; only --write, or a yes, changes the config',
    load: async () => (await import('./check.ts')).addCheck,
  },
  {
    name: 'run',
    group: 'daily',
    description: 'export once: list, collect, plan, publish, commit',
    load: async () => (await import('./run.ts')).addRun,
  },
  {
    name: 'status',
    group: 'daily',
    description:
      'show the last runs, coverage, freshness, questions, what can be repaired, and what to do next',
    load: async () => (await import('./status.ts')).addStatus,
  },
  {
    name: 'query',
    group: 'daily',
    description: 'ask the committed tables and the views of queries/ in SQL',
    load: async () => (await import('./query.ts')).addQuery,
  },
  {
    name: 'report',
    group: 'daily',
    description:
      'write one self-contained HTML page with charts; with --xlsx, a workbook with a sheet for each view',
    load: async () => (await import('./report.ts')).addReport,
  },
  {
    name: 'schedule',
    group: 'daily',
    description: 'run by the schedule of the config, one run at a time, until Ctrl-C or SIGTERM',
    load: async () => (await import('./schedule.ts')).addSchedule,
  },
  {
    name: 'repair',
    group: 'daily',
    description: 'request again what was denied or failed in the newest run, and publish it as the same run',
    load: async () => (await import('./repair.ts')).addRepair,
  },
  {
    name: 'rebuild',
    group: 'history',
    description: 'build the tables of every run from that date on again from its raw answers, in one commit',
    load: async () => (await import('./rebuild.ts')).addRebuild,
  },
  {
    name: 'rollback',
    group: 'history',
    description: 'commit the tables as that run left them; the daily tables lose all later dates',
    load: async () => (await import('./rollback.ts')).addRollback,
  },
  {
    name: 'recover',
    group: 'history',
    description: 'build the head again where state/ is lost, damaged or older than the tables',
    load: async () => (await import('./recover.ts')).addRecover,
  },
  {
    name: 'verify',
    group: 'history',
    description: 'read every file that the head names and the raw answers, and say which are damaged',
    load: async () => (await import('./verify.ts')).addVerify,
  },
  {
    name: 'purge',
    group: 'history',
    description: 'remove all of a source, or one record with its children, on all dates, for good',
    load: async () => (await import('./purge.ts')).addPurge,
  },
  {
    name: 'schema',
    group: 'history',
    description: 'the columns of the tables and their types',
    load: async () => (await import('./schema.ts')).addSchema,
  },
  {
    name: 'smoke',
    group: 'aws',
    description: 'after a deploy: ask each source once from AWS, send one alarm, query as a reader',
    load: async () => (await import('./smoke.ts')).addSmoke,
  },
  {
    name: 'secret',
    group: 'aws',
    description: 'secrets in AWS Secrets Manager',
    load: async () => (await import('./secret.ts')).addSecret,
  },
  {
    name: 'catalog',
    group: 'aws',
    description: 'the catalog that Athena reads',
    load: async () => (await import('./catalog.ts')).addCatalog,
  },
  {
    name: 'bindings',
    group: 'aws',
    description: 'fetch DuckDB for the functions of the CDK construct, once, so that synth needs no network',
    load: async () => (await import('./bindings.ts')).addBindings,
  },
  {
    name: 'estimate',
    group: 'aws',
    description: 'calls, duration and monthly AWS cost, from the config and the last run, or for --players',
    load: async () => (await import('./estimate.ts')).addEstimate,
  },
  {
    name: 'demo',
    group: 'tools',
    description: 'simulate both APIs, export two days into ./out and ask the result three questions',
    load: async () => (await import('./demo.ts')).addDemo,
  },
  {
    name: 'simulate',
    group: 'tools',
    description: 'serve both APIs with made-up players, screens and storages, until stopped',
    load: async () => (await import('./simulate.ts')).addSimulate,
  },
  {
    name: 'config',
    group: 'tools',
    description: 'the config itself: its mistakes, and the schema by which editors know it',
    load: async () => (await import('./config.ts')).addConfig,
  },
  {
    name: 'contract',
    group: 'tools',
    description: 'what the answers of each listing have shown',
    load: async () => (await import('./contract.ts')).addContract,
  },
  {
    name: 'views',
    group: 'tools',
    description:
      'write every table and view as a DuckDB file, or as SQL that makes one, for tools that read on their own',
    load: async () => (await import('./views.ts')).addViews,
  },
  {
    name: 'completion',
    group: 'tools',
    description: 'write the script by which bash, zsh or fish completes commands and options',
    load: async () => (await import('./completion.ts')).addCompletionOf(COMMANDS),
  },
];
