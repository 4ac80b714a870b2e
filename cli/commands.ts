import type { Command } from 'commander';

/** The groups of commands. The first help shows the daily ones; `--help all` shows all. */
export const GROUPS = {
  daily: 'Commands:',
  history: 'History and recovery:',
  aws: 'AWS:',
  tools: 'Tools:',
} as const;
type Group = keyof typeof GROUPS;

const COMMANDS_OF = {
  daily: {
    init: 'write the first config and its secrets by a few questions, and check them; --add adds a source',
    check:
      'call every listing a few times and say what was found; only --write, or a yes, changes the config',
    run: 'export once: list, collect, plan, publish, commit',
    status: 'show the last runs, coverage, freshness, questions, what can be repaired, and what to do next',
    query: 'ask the committed tables and the views of queries/ in SQL',
    report:
      'write one self-contained HTML page with charts; with --xlsx, a workbook with a sheet for each view',
    schedule: 'run by the schedule of the config, one run at a time, until Ctrl-C or SIGTERM',
    repair: 'request again what was denied or failed in the newest run, and publish it as the same run',
  },
  history: {
    rebuild: 'build the tables of every run from that date on again from its raw answers, in one commit',
    rollback: 'commit the tables as that run left them; the daily tables lose all later dates',
    recover: 'build the head again where state/ is lost, damaged or older than the tables',
    verify: 'read every file that the head names and the raw answers, and say which are damaged',
    purge: 'remove all of a source, or one record with its children, on all dates, for good',
    schema: 'the columns of the tables and their types',
  },
  aws: {
    smoke: 'after a deploy: ask each source once from AWS, send one alarm, query as a reader',
    secret: 'secrets in AWS Secrets Manager',
    catalog: 'the catalog that Athena reads',
    bindings: 'fetch DuckDB for the functions of the CDK construct, once, so that synth needs no network',
    estimate: 'calls, duration and monthly AWS cost, from the config and the last run, or for --players',
  },
  tools: {
    demo: 'simulate both APIs, export two days into ./out and ask the result three questions',
    simulate: 'serve both APIs with made-up players, screens and storages, until stopped',
    config: 'the config itself: its mistakes, and the schema by which editors know it',
    contract: 'what the answers of each listing have shown',
    views:
      'write every table and view as a DuckDB file, or as SQL that makes one, for tools that read on their own',
    completion: 'write the script by which bash completes commands and options',
  },
} as const satisfies Readonly<Record<Group, Readonly<Record<string, string>>>>;

type Name = { [Each in Group]: keyof (typeof COMMANDS_OF)[Each] }[Group];

/** Loads what adds options and action to a command: to load all takes longer than most commands run. */
const LOADS: Readonly<Record<Name, () => Promise<(command: Command) => void>>> = {
  init: async () => (await import('./init.ts')).addInit,
  check: async () => (await import('./check.ts')).addCheck,
  run: async () => (await import('./run.ts')).addRun,
  status: async () => (await import('./status.ts')).addStatus,
  query: async () => (await import('./query.ts')).addQuery,
  report: async () => (await import('./report.ts')).addReport,
  schedule: async () => (await import('./schedule.ts')).addSchedule,
  repair: async () => (await import('./repair.ts')).addRepair,
  rebuild: async () => (await import('./rebuild.ts')).addRebuild,
  rollback: async () => (await import('./rollback.ts')).addRollback,
  recover: async () => (await import('./recover.ts')).addRecover,
  verify: async () => (await import('./verify.ts')).addVerify,
  purge: async () => (await import('./purge.ts')).addPurge,
  schema: async () => (await import('./schema.ts')).addSchema,
  smoke: async () => (await import('./smoke.ts')).addSmoke,
  secret: async () => (await import('./secret.ts')).addSecret,
  catalog: async () => (await import('./catalog.ts')).addCatalog,
  bindings: async () => (await import('./bindings.ts')).addBindings,
  estimate: async () => (await import('./estimate.ts')).addEstimate,
  demo: async () => (await import('./demo.ts')).addDemo,
  simulate: async () => (await import('./simulate.ts')).addSimulate,
  config: async () => (await import('./config.ts')).addConfig,
  contract: async () => (await import('./contract.ts')).addContract,
  views: async () => (await import('./views.ts')).addViews,
  completion: async () => (await import('./completion.ts')).addCompletionOf(COMMANDS),
};

/** All commands by their names; their options and actions load when they are called. */
export const COMMANDS = Object.entries(COMMANDS_OF).flatMap(([group, commands]) =>
  Object.entries(commands).map(([name, description]) => ({
    ...{ name, description, group: group as Group, load: LOADS[name as Name] },
  })),
);
export type CommandEntry = (typeof COMMANDS)[number];

/** Adds the command to the program, in the help of its group; its options come when it is loaded. */
export function addCommand(program: Command, { name, group, description }: CommandEntry): Command {
  return program.command(name).description(description).helpGroup(GROUPS[group]);
}

/** Two command lines for each command, without the program's name: its help shows them. */
export const EXAMPLES: Readonly<Record<string, readonly [string, string]>> = {
  'signage-export': ['demo', 'init'],
  init: ['init', 'init --kind signage --url https://signage.example.com:8443 --key env:SIGNAGE_KEY'],
  run: ['run --secrets keys.json', 'run --source berlin --run-time 2026-11-21T03:00:00Z'],
  schedule: ['schedule', 'schedule --config berlin.json --lake ./berlin'],
  check: ['check', 'check --write'],
  'contract show': ['contract show', 'contract show berlin.players --json'],
  'config validate': ['config validate', 'config validate --config berlin.json --json'],
  'config schema': ['config schema', 'config schema > export.config.schema.json'],
  status: ['status', 'status --deployed --json'],
  query: ['query "select * from screen_status where state = \'off\'"', 'query players --format csv'],
  report: ['report', 'report --out monday.html --xlsx monday.xlsx'],
  views: ['views --out lake.sql', 'views --out lake.duckdb'],
  simulate: ['simulate --players 600 --write-config ./lab', 'simulate --fault 500:0.05 --fault gone:0.01'],
  smoke: ['smoke', 'smoke --json'],
  demo: ['demo', 'demo --players 600 --days 7 --lake ./week'],
  estimate: ['estimate', 'estimate --players 20000 --latency 0.2'],
  repair: ['repair', 'repair --deployed'],
  rebuild: ['rebuild --from 2026-11-01 --dry-run', 'rebuild --from 2026-11-01 --yes'],
  rollback: ['rollback 20261121T030000Z --dry-run', 'rollback 20261121T030000Z --yes'],
  purge: ['purge --source berlin --yes', 'purge --record players 4711 --source berlin --dry-run'],
  recover: ['recover', 'recover --deployed --yes'],
  verify: ['verify', 'verify --sample 5 --json'],
  'schema show': ['schema show', 'schema show licenses'],
  'schema apply': [
    'schema apply licenses.total_count bigint --dry-run',
    'schema apply licenses.total_count bigint --yes',
  ],
  'schema new-mask-key': ['schema new-mask-key', 'schema new-mask-key --deployed'],
  'catalog sync': ['catalog sync --deployed', 'catalog sync --lake s3://bucket/prefix --database signage'],
  'secret put': ['secret put signage-export/berlin', 'secret put signage-export/vault --kind accessToken'],
  bindings: ['bindings', 'bindings x86_64'],
  completion: ['completion bash', 'completion bash > signage-export.bash'],
};
