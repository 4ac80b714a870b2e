import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { UsageError } from '../errors.ts';
import { askedType } from '../schema/columns/asked-type.ts';
import type { ColumnSetting } from '../sources/resource-settings.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';
import { readCertificates } from './ca-file.ts';
import type { Config } from './config.ts';
import { configShape } from './config-shape.ts';
import { harmlessUrl } from './origin.ts';
import { JsonFault, parseJson } from './parse-json.ts';

type Written = z.infer<typeof configShape>;
type Issue = z.core.$ZodIssue;

/** Longer values are cut in messages. */
const MAX_SHOWN = 60;

/** The config of a file with all defaults. Throws UsageError: one sentence with file, field, value and cure. */
export async function readConfig(file: string): Promise<Config> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'EISDIR') {
      const inside = join(file, 'export.config.json');
      throw new UsageError(
        `The config ${file} is a folder: name the file in it with --config, such as ${inside}.`,
        'CONFIG_INVALID',
        cause,
      );
    }
    const missing = code === 'ENOENT';
    const fault = missing ? 'does not exist' : 'cannot be read';
    throw new UsageError(
      `The config ${file} ${fault}: write it as docs/config.md shows, or name another with --config.`,
      missing ? 'CONFIG_MISSING' : 'CONFIG_INVALID',
      cause,
    );
  }
  return parseConfig(text, file);
}

/** The same of a text; `file` is how messages name it, and its folder is where caFile begins. */
export function parseConfig(text: string, file: string): Config {
  const written = readJson(text, file);
  const result = configShape.safeParse(written);
  if (!result.success) throw new UsageError(`${file}: ${sentenceOf(result.error.issues, written)}.`);
  refuseTwoTypes(result.data, file);
  return {
    ...result.data,
    sources: result.data.sources.map((source, index) => sourceOf({ source, index, file })),
  };
}

/** A column has one type in all sources; two that ask for different ones are seen before the first call. */
function refuseTwoTypes({ sources }: Written, file: string): void {
  for (const table of RESOURCE_NAMES) {
    const columnsOf = sources.map(({ name, resources }) => {
      const settings = (resources as Readonly<Record<string, { readonly columns: object } | undefined>>)[
        table
      ];
      const columns = Object.entries((settings?.columns ?? {}) as Readonly<Record<string, ColumnSetting>>);
      // By the names that they get: who has one by `as` comes last, for the other makes room.
      const plain = columns.filter(([, { as }]) => as === undefined);
      const named = columns.flatMap(([, each]) => (each.as === undefined ? [] : [[each.as, each] as const]));
      return [name, Object.fromEntries<ColumnSetting | undefined>([...plain, ...named])] as const;
    });
    const names = new Set(columnsOf.flatMap(([, columns]) => Object.keys(columns)));
    for (const name of names) {
      const settings = Object.fromEntries(columnsOf.map(([source, columns]) => [source, columns[name]]));
      try {
        askedType({ table, name, settings });
      } catch (cause) {
        throw cause instanceof UsageError ? new UsageError(`${file}: ${cause.message}`) : cause;
      }
    }
  }
}

function sourceOf(given: { source: Written['sources'][number]; index: number; file: string }): Source {
  const { caFile, ...source } = given.source;
  const whole = { ...source, baseUrl: new URL(source.baseUrl).origin };
  if (caFile === undefined) return whole;
  const path = resolve(dirname(given.file), caFile);
  const field = `sources[${given.index}].caFile`;
  const place = `${given.file}: ${field} is ${JSON.stringify(caFile)}`;
  if (!existsSync(path)) {
    throw new UsageError(
      `${place}, but there is no file ${path}; put the certificates there, or remove ${field}.`,
    );
  }
  const read = readCertificates(path);
  if ('pem' in read) return { ...whole, caFile: path };
  throw new UsageError(
    `${place}, but ${path} ${read.fault}; name a readable file with PEM certificates, or remove ${field}.`,
    'CONFIG_INVALID',
    read.cause,
  );
}

function readJson(text: string, file: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    if (!(cause instanceof JsonFault)) throw cause;
    throw new UsageError(`${file} is no JSON: ${cause.message}.`, 'CONFIG_INVALID', cause);
  }
}

/** What the first issue says, and how many fields have others. */
function sentenceOf(issues: readonly Issue[], written: unknown): string {
  const faults = issues.flatMap((issue) => faultsOf(issue, written));
  const [first] = faults;
  const others = new Set(faults.map(({ field }) => field)).size - 1;
  const more = others === 0 ? '' : `; ${others} more ${others === 1 ? 'mistake follows' : 'mistakes follow'}`;
  return `${first?.field} ${first?.says}${more}`;
}

interface ConfigFault {
  /** `sources[0].baseUrl`. */
  readonly field: string;
  readonly says: string;
}

function faultsOf(issue: Issue, written: unknown): ConfigFault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: fieldOf([...issue.path, key]), says: `is ${issue.message}` }));
  }
  const value = valueAt(written, issue.path);
  const says =
    value === undefined
      ? `is missing; it must be ${issue.message}`
      : `is ${shown(value, issue.path)}, but must be ${issue.message}`;
  return [{ field: fieldOf(issue.path), says }];
}

function fieldOf(path: readonly PropertyKey[]): string {
  const field = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return field === '' ? 'the config' : field.replace(/^\./, '');
}

function valueAt(written: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined),
    written,
  );
}

/** A value as a message may show it. Somebody may have written the secret itself in the place of its name. */
function shown(value: unknown, path: readonly PropertyKey[]): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : 'a list';
  if (value !== null && typeof value === 'object') return 'an object';
  const harmless = path.at(-1) === 'baseUrl' && typeof value === 'string' ? harmlessUrl(value) : value;
  const json = JSON.stringify(harmless);
  return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}…` : json;
}
