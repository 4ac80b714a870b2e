import type { RunId } from '../run-id.ts';
import { RESOURCE_NAMES, type ResourceName } from '../sources/resources.ts';
import type { Lake } from './lake.ts';

/** Every key of the lake. Only this table knows how to write and read them. */
const FORMS = {
  raw: 'raw/{runId}/{source}/{resource}/pass-{pass}/batch-{batch}.parquet',
  database: 'lake.duckdb',
  databaseLog: 'lake.duckdb.wal',
  databaseNote: 'state/database.json',
  marker: 'state-copy/lake.json',
  stateCopy: 'state-copy/state.json.gz',
  head: 'state/head.json',
  nextHead: 'state/next-head.json',
  lease: 'state/lease.json',
  found: 'state/found.json',
  figures: 'state/figures/{table}.parquet',
  watch: 'state/watch.json',
  verified: 'state/verified.json',
  month: 'state/months/{month}/{hash}.json',
  parents: 'state/parents/{source}.json',
  turn: 'state/parents/{source}/turn.json',
  runConfig: 'state/runs/{runId}/config.json',
  runHead: 'state/runs/{runId}/head.json',
  rawSums: 'state/runs/{runId}/raw.json',
  batch: 'state/runs/{runId}/batches/{source}/pass-{pass}/batch-{batch}.json',
  pause: 'state/runs/{runId}/pauses/{source}.json',
  dialects: 'state/runs/{runId}/dialects/{source}.json',
  attemptHead: 'state/runs/{runId}/{attempt}/head.json',
  plan: 'state/runs/{runId}/{attempt}/plan.json',
  schema: 'state/runs/{runId}/{attempt}/schema.json',
  outcomes: 'state/runs/{runId}/{attempt}/outcomes.parquet',
  summary: 'state/runs/{runId}/{attempt}/summary.json',
  unit: 'state/runs/{runId}/{attempt}/units/unit-{unit}.json',
  published: 'state/runs/{runId}/{attempt}/published/unit-{unit}.json',
  table: 'tables/{table}/export_date={exportDate}/run={runId}.{attempt}/part-{part}.parquet',
} as const;

interface Fields {
  readonly runId: RunId;
  readonly source: string;
  readonly resource: ResourceName;
  /** From 1. */
  readonly attempt: number;
  /** From 0, like batch, unit and part. */
  readonly pass: number;
  readonly batch: number;
  readonly unit: number;
  readonly table: string;
  /** `YYYY-MM-DD`. */
  readonly exportDate: string;
  readonly part: number;
  /** `YYYY-MM` */
  readonly month: string;
  /** The hash of the file's content. */
  readonly hash: string;
}

export type KeyKind = keyof typeof FORMS;
export const KEY_KINDS = Object.keys(FORMS) as readonly KeyKind[];

type FieldsIn<Form> = Form extends `${string}{${infer Name extends keyof Fields}}${infer Rest}`
  ? Name | FieldsIn<Rest>
  : never;
export type KeyFields<Kind extends KeyKind> = Pick<Fields, FieldsIn<(typeof FORMS)[Kind]>>;
export type LakeKey = { readonly [Kind in KeyKind]: { readonly kind: Kind } & KeyFields<Kind> }[KeyKind];

/** The form of a source's name, because keys contain it. */
export const SOURCE_NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** How each field looks in a key. Numbers are padded to `digits`, so that keys sort as numbers. */
const LOOKS: Readonly<Record<keyof Fields, { readonly pattern: string; readonly digits?: number }>> = {
  runId: { pattern: '\\d{8}T\\d{6}Z' },
  source: { pattern: SOURCE_NAME.source.slice(1, -1) },
  resource: { pattern: RESOURCE_NAMES.join('|') },
  attempt: { pattern: '\\d+', digits: 1 },
  pass: { pattern: '\\d+', digits: 1 },
  batch: { pattern: '\\d{5,}', digits: 5 },
  unit: { pattern: '\\d{4,}', digits: 4 },
  table: { pattern: '[a-z][a-z0-9_]*' },
  exportDate: { pattern: '\\d{4}-\\d\\d-\\d\\d' },
  part: { pattern: '\\d{4,}', digits: 4 },
  month: { pattern: '\\d{4}-\\d\\d' },
  hash: { pattern: '[0-9a-f]{20}' },
};

const FIELD = /\{(\w+)\}/g;

type Arguments<Kind extends KeyKind> =
  FieldsIn<(typeof FORMS)[Kind]> extends never ? [] : [fields: KeyFields<Kind>];

/**
 * The key of a kind: `lakeKey('raw', { runId, source, resource, pass, batch })`, `lakeKey('head')`. Throws
 * where a field does not fit, which is a program error.
 */
export function lakeKey<Kind extends KeyKind>(kind: Kind, ...[fields]: Arguments<Kind>): string {
  const key = render(FORMS[kind], fields ?? {});
  if (parseKey(key)?.kind !== kind) throw new Error(`${key} is no key of the kind ${kind}`);
  return key;
}

/**
 * The folder, with its final `/`, of all keys of a kind with these fields: `lakePrefix('raw', { runId, source
 * })` is `raw/RUN_ID/SOURCE/`.
 */
export function lakePrefix<Kind extends KeyKind>(kind: Kind, fields: Partial<KeyFields<Kind>>): string {
  const key = render(FORMS[kind], fields);
  const known = key.slice(0, key.search(/\{|$/));
  return known.slice(0, known.lastIndexOf('/') + 1);
}

const PLACES = new Set<string | undefined>(Object.values(FORMS).map((form) => form.split('/')[0]));

/** True where only the lake writes: in a folder of keys, or in a file next to them. */
export const isOwnKey = (key: string): boolean => PLACES.has(key.split('/')[0]);

/** The fields of a key; undefined where it is not one of ours. */
export function parseKey(key: string): LakeKey | undefined {
  for (const { kind, pattern } of PATTERNS) {
    const match = pattern.exec(key);
    if (match === null) continue;
    const fields = Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, text]) => [
        name,
        look(name).digits === undefined ? text : Number(text),
      ]),
    );
    if (render(FORMS[kind], fields) === key) return { kind, ...fields } as LakeKey;
  }
  return undefined;
}

const PATTERNS = KEY_KINDS.map((kind) => {
  const escaped = FORMS[kind].replaceAll('.', '\\.');
  return {
    kind,
    pattern: new RegExp(`^${escaped.replaceAll(FIELD, (_, name) => `(?<${name}>${look(name).pattern})`)}$`),
  };
});

function render(form: string, fields: object): string {
  return form.replaceAll(FIELD, (placeholder, name) => {
    const value: unknown = Reflect.get(fields, name);
    return value === undefined ? placeholder : String(value).padStart(look(name).digits ?? 0, '0');
  });
}

function look(name: string) {
  return LOOKS[name as keyof Fields];
}

/** A key of the lake with its fields and its object's size in bytes. */
export type ListedKey<Kind extends KeyKind> = Extract<LakeKey, { readonly kind: Kind }> & {
  readonly key: string;
  readonly size: number;
};

/**
 * All keys of one kind with these fields, in order: `listKeys(lake, 'raw', { runId })`. Leaves out other
 * kinds in the same folder, and keys up to `after`.
 */
export async function* listKeys<Kind extends KeyKind>(
  lake: Lake,
  kind: Kind,
  fields: Partial<KeyFields<Kind>> = {},
  after?: string,
): AsyncGenerator<ListedKey<Kind>> {
  for await (const { key, size } of lake.list(lakePrefix(kind, fields), after)) {
    const parsed = parseKey(key);
    if (parsed?.kind === kind) yield { ...parsed, key, size } as ListedKey<Kind>;
  }
}

/** The first key of a kind with these fields; undefined without one. */
export async function firstKey<Kind extends KeyKind>(
  lake: Lake,
  kind: Kind,
  fields: Partial<KeyFields<Kind>> = {},
): Promise<ListedKey<Kind> | undefined> {
  for await (const first of listKeys(lake, kind, fields)) return first;
  return undefined;
}
