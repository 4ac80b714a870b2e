import type { CommandEntry } from './command-entry.ts';

type Row = readonly [description: string, load: CommandEntry['load']];

/** All commands by their group, in the order of the help: what each does, and what adds its options and action. */
const ROWS: Readonly<Record<CommandEntry['group'], Readonly<Record<string, Row>>>> = {
  daily: {
    init: [
      'write the first config and its secrets by a few questions, and check them; --add adds a source',
      async () => (await import('./init.ts')).addInit,
    ],
    check: [
      'call every listing a few times and say what was found; only --write, or a yes, changes the config',
      async () => (await import('./check.ts')).addCheck,
    ],
    run: ['export once: list, collect, plan, publish, commit', async () => (await import('./run.ts')).addRun],
    status: [
      'show the last runs, coverage, freshness, questions, what can be repaired, and what to do next',
      async () => (await import('./status.ts')).addStatus,
    ],
    query: [
      'ask the committed tables and the views of queries/ in SQL',
      async () => (await import('./query.ts')).addQuery,
    ],
    report: [
      'write one self-contained HTML page with charts; with --xlsx, a workbook with a sheet for each view',
      async () => (await import('./report.ts')).addReport,
    ],
    schedule: [
      'run by the schedule of the config, one run at a time, until Ctrl-C or SIGTERM',
      async () => (await import('./schedule.ts')).addSchedule,
    ],
    repair: [
      'request again what was denied or failed in the newest run, and publish it as the same run',
      async () => (await import('./repair.ts')).addRepair,
    ],
  },
  history: {
    rebuild: [
      'build the tables of every run from that date on again from its raw answers, in one commit',
      async () => (await import('./rebuild.ts')).addRebuild,
    ],
    rollback: [
      'commit the tables as that run left them; the daily tables lose all later dates',
      async () => (await import('./rollback.ts')).addRollback,
    ],
    recover: [
      'build the head again where state/ is lost, damaged or older than the tables',
      async () => (await import('./recover.ts')).addRecover,
    ],
    verify: [
      'read every file that the head names and the raw answers, and say which are damaged',
      async () => (await import('./verify.ts')).addVerify,
    ],
    purge: [
      'remove all of a source, or one record with its children, on all dates, for good',
      async () => (await import('./purge.ts')).addPurge,
    ],
    schema: [
      'the columns of the tables and their types',
      async () => (await import('./schema.ts')).addSchema,
    ],
  },
  aws: {
    smoke: [
      'after a deploy: ask each source once from AWS, send one alarm, query as a reader',
      async () => (await import('./smoke.ts')).addSmoke,
    ],
    secret: ['secrets in AWS Secrets Manager', async () => (await import('./secret.ts')).addSecret],
    catalog: ['the catalog that Athena reads', async () => (await import('./catalog.ts')).addCatalog],
    bindings: [
      'fetch DuckDB for the functions of the CDK construct, once, so that synth needs no network',
      async () => (await import('./bindings.ts')).addBindings,
    ],
    estimate: [
      'calls, duration and monthly AWS cost, from the config and the last run, or for --players',
      async () => (await import('./estimate.ts')).addEstimate,
    ],
  },
  tools: {
    demo: [
      'simulate both APIs, export two days into ./out and ask the result three questions',
      async () => (await import('./demo.ts')).addDemo,
    ],
    simulate: [
      'serve both APIs with made-up players, screens and storages, until stopped',
      async () => (await import('./simulate.ts')).addSimulate,
    ],
    config: [
      'the config itself: its mistakes, and the schema by which editors know it',
      async () => (await import('./config.ts')).addConfig,
    ],
    contract: [
      'what the answers of each listing have shown',
      async () => (await import('./contract.ts')).addContract,
    ],
    views: [
      'write every table and view as a DuckDB file, or as SQL that makes one, for tools that read on their own',
      async () => (await import('./views.ts')).addViews,
    ],
    completion: [
      'write the script by which bash, zsh or fish completes commands and options',
      async () => (await import('./completion.ts')).addCompletionOf(COMMANDS),
    ],
  },
};

export const COMMANDS: readonly CommandEntry[] = Object.entries(ROWS).flatMap(([group, rows]) =>
  Object.entries(rows).map(([name, [description, load]]) => ({
    ...{ name, group: group as CommandEntry['group'], description, load },
  })),
);
