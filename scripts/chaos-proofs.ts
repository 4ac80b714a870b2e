import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { openTables, type Tables } from '#lib/views/open-tables.ts';
import { parentOf, SERVED, SERVED_NAMES, type ServedResource } from '#simulator/kind.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { DAYS, plainRun } from './chaos-processes.ts';
import { contentHash } from './content-hash.ts';

type Hashes = Readonly<Record<string, string>>;

export interface ProofOptions {
  readonly simulator: Simulator;
  readonly folder: string;
  /** The faults that always meet the same parents. */
  readonly staying: string;
  /** All that any process printed. */
  readonly said: string;
  readonly secrets: readonly string[];
  /** What the reader saw, in order. */
  readonly readings: readonly Hashes[];
  /** What it should see after each day. */
  readonly wanted: readonly Hashes[];
  /** Every table of the lake that nothing disturbed. */
  readonly undisturbed: Hashes;
}

/** The promises of R1 to R9 that the lake `killed` breaks, in sentences. */
export async function provePromises(options: ProofOptions): Promise<readonly string[]> {
  const { simulator, folder, staying } = options;
  const lake = folderLake(join(folder, 'killed'));
  const broken: string[] = [...readerSaw(options)];
  const found = await contentHash(lake);
  for (const [table, hash] of Object.entries(options.undisturbed)) {
    if (found[table] !== hash) broken.push(`R2: ${table} is ${found[table]} and should be ${hash}`);
  }
  simulator.stats.reset();
  const before = await readFile(join(folder, 'killed/state/head.json'), 'utf8');
  await plainRun({ folder, lake: 'killed', time: DAYS[1] });
  if (
    before !== (await readFile(join(folder, 'killed/state/head.json'), 'utf8')) ||
    simulator.stats.requests > 0
  ) {
    broken.push('R2: the committed run, started again, did something');
  }
  await simulator.setFaults(staying);
  {
    using tables = await openTables(lake);
    broken.push(...(await countsAddUp(tables, simulator)), ...(await removedAreGone(tables, simulator)));
    broken.push(...(await isGreenByRight(tables)), ...(await recordsAreRows(tables, simulator)));
  }
  broken.push(...(await oneTypeAColumn(lake.name)), ...(await secretsAreKept(options)));
  return [...broken, ...(await nothingIsGuessed(options))];
}

function readerSaw({ readings, wanted }: ProofOptions): readonly string[] {
  const states = wanted.map((hashes) => JSON.stringify(hashes));
  let last = 0;
  for (const reading of readings) {
    const state = states.indexOf(JSON.stringify(reading), last);
    if (state < 0) return [`R1: the reader saw ${JSON.stringify(reading)}, which no run committed`];
    last = state;
  }
  return [];
}

async function countsAddUp(tables: Tables, simulator: Simulator): Promise<readonly string[]> {
  const [promised] = await ask(
    tables,
    'select count(*) as n, count(distinct (export_source, resource, parent_id)) as items from outcomes',
  );
  const today = simulator.world.at(1);
  const due = SERVED_NAMES.flatMap((name) => [...today.parents(name)]).length;
  const [runs] = await ask(
    tables,
    "select sum(ok + empty + gone + denied + failed) as n from runs where export_run_id = '20261121T030000Z'",
  );
  // If pages have no total, a parent that is no longer listed is asked for once more, for it may be on a moved page.
  const listed = new Set(today.playerIds());
  const former = [...simulator.world.at(0).playerIds()].filter((id) => !listed.has(id)).length;
  const askedAgain = former * SERVED_NAMES.filter((name) => parentOf(name) === 'players').length;
  const n = Number(promised?.n);
  return (n === due || n === due + askedAgain) && n === Number(promised?.items) && n === Number(runs?.n)
    ? []
    : [`R3: ${due} items, ${n} outcomes (${promised?.items} different), ${runs?.n} counted in runs`];
}

async function removedAreGone(tables: Tables, simulator: Simulator): Promise<readonly string[]> {
  const gone = simulator.parentsMeeting('gone');
  const still = new Set([...simulator.world.at(1).playerIds()].map(String));
  const rows = await ask(
    tables,
    "select distinct reason, split_part(record_key, '/', 1) as player from changes where change = 'removed' and table_name = 'screens' and reason <> 'not listed'",
  );
  const wrong = rows.filter(({ reason, player }) =>
    still.has(String(player)) ? reason !== 'gone' || !gone.has(Number(player)) : false,
  );
  return wrong.map(({ reason, player }) => `R4: screens of player ${player} were removed: ${reason}`);
}

async function isGreenByRight(tables: Tables): Promise<readonly string[]> {
  const rows = await ask(
    tables,
    "select export_source, status, coverage from runs where status <> 'failed' and coverage < 0.9 or status = 'complete' and denied + failed > 0",
  );
  return rows.map((row) => `R6: ${row.export_source} is ${row.status} with coverage ${row.coverage}`);
}

/** Checks R7: the tables have all records but those of parents that are gone or denied. */
async function recordsAreRows(tables: Tables, simulator: Simulator): Promise<readonly string[]> {
  const [gone, denied] = [simulator.parentsMeeting('gone'), simulator.parentsMeeting('denied')];
  const broken: string[] = [];
  for (const { name, parent } of SERVED) {
    if (name === 'backup_pricing') continue;
    const truth = servedRecords(simulator, { name, isLeftOut: (id) => gone.has(id) || denied.has(id) });
    const [row] = await ask(tables, countSql(name, parent !== null));
    if (Number(row?.n) !== truth) broken.push(`R7: ${name} has ${row?.n} rows of ${truth} records`);
  }
  return broken;
}

/** How many records the simulator serves today, in its dialect. */
function servedRecords(
  { world, profile }: Simulator,
  { name, isLeftOut }: { readonly name: ServedResource; readonly isLeftOut: (parentId: number) => boolean },
): number {
  const today = world.at(1);
  const parent = parentOf(name);
  const ids = parent === 'players' ? today.playerIds() : today.storageIds();
  const parents = parent === null ? [undefined] : [...ids].filter((id) => !isLeftOut(id));
  return parents.reduce<number>((sum, id) => {
    const listing = today.listing(name, id);
    return sum + (listing === undefined ? 0 : profile.served(listing).count);
  }, 0);
}

function countSql(name: ServedResource, isChild: boolean): string {
  return `select count(*) as n from ${name} ${isChild ? "where export_run_id = '20261121T030000Z'" : ''}`;
}

async function oneTypeAColumn(lake: string): Promise<readonly string[]> {
  using tables = await openTables(folderLake(lake));
  const broken: string[] = [];
  for (const [table, { dates }] of Object.entries(tables.head.tables)) {
    const files = Object.entries(dates).flatMap(([date, { run, parts }]) =>
      parts.map(
        (part) =>
          `'${lake}/tables/${table}/export_date=${date}/run=${run}/part-${String(part).padStart(4, '0')}.parquet'`,
      ),
    );
    if (files.length === 0) continue;
    const rows = await ask(
      tables,
      `select name from parquet_schema([${files}]) where type is not null group by name having count(distinct (type, logical_type, scale)) > 1`,
    );
    broken.push(...rows.map(({ name }) => `R5: ${table}.${name} has two types`));
  }
  return broken;
}

async function secretsAreKept({ folder, said, secrets }: ProofOptions): Promise<readonly string[]> {
  const broken = secrets.some((secret) => said.includes(secret)) ? ['R8: a secret was printed'] : [];
  for await (const path of filesBelow(join(folder, 'killed'))) {
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (secrets.some((secret) => bytes.includes(secret))) broken.push(`R8: a secret stands in ${path}`);
  }
  return broken;
}

/** The files below a folder. Scratch folders of queries may vanish meanwhile; those of killed processes stay. */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** Checks R9: an export of an API whose pages lose records fails, and names its paging. */
async function nothingIsGuessed({ folder, simulator }: ProofOptions): Promise<readonly string[]> {
  const profile = ['paging-ignored', 'total-wrong', 'repeats-forever', 'silent-cap'][
    simulator.world.settings.seed % 4
  ];
  const faulty = await startSimulator({ players: 60, profile, port: 0, pageSize: 20 });
  try {
    const config = JSON.parse(await readFile(join(folder, 'config.json'), 'utf8'));
    const sources = config.sources.map((source: object) => ({ ...source, baseUrl: faulty.url }));
    const at = join(folder, 'faulty');
    await mkdir(at);
    await writeFile(join(at, 'config.json'), JSON.stringify({ ...config, sources }));
    const secrets = { 'chaos/berlin': faulty.secrets.signage, 'chaos/vault': faulty.secrets.backup };
    await writeFile(join(at, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 });
    const { code, said } = await plainRun({ folder: at, lake: 'lake', time: DAYS[0] });
    const isNamed = /PAGING_|TOTAL_MISMATCH/.test(said);
    return code !== 0 && isNamed ? [] : [`R9: ${profile} ended with ${code} and no word of its paging`];
  } finally {
    await faulty.close();
  }
}

async function ask(tables: Tables, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { columns, rows } = await tables.query(sql);
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));
}
