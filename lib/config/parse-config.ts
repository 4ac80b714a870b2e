import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errno, UsageError } from '../errors.ts';
import { valueAt } from '../fields.ts';
import { askedType } from '../schema/columns/asked-type.ts';
import { KINDS } from '../sources/kinds.ts';
import type { ColumnSetting } from '../sources/resource-settings.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';
import { secretPlaceOf } from '../sources/secret-place.ts';
import { nearest } from '../text.ts';
import { zoneFault } from '../time.ts';
import { readCertificates } from './ca-file.ts';
import type { Config } from './config.ts';
import { type ConfigFault, ConfigInvalid, faultsIn, fieldOf, sourcesIn } from './config-faults.ts';
import { configShape, sourceShape } from './config-shape.ts';
import { readHours } from './hours/read-hours.ts';
import { JsonFault, parseJson } from './parse-json.ts';

/** The config of a file with all defaults. Throws UsageError: for each mistake its field, value and cure. */
export async function readConfig(file: string): Promise<Config> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const isMissing = errno(cause) === 'ENOENT';
    const fault = isMissing ? `does not exist: ${cureOfMissing(file)}` : unreadable(file, errno(cause));
    throw new UsageError(
      `The config ${file} ${fault}.`,
      isMissing ? 'CONFIG_MISSING' : 'CONFIG_INVALID',
      cause,
    );
  }
  return parseConfig(text, file);
}

function unreadable(file: string, code: string | undefined): string {
  return code === 'EISDIR'
    ? `is a folder: name the file in it with --config, such as ${join(file, 'export.config.json')}`
    : `cannot be read (${code}): give this user the right to read it, or name another with --config`;
}

/** The probable config next to it, and how to make one. */
function cureOfMissing(file: string): string {
  const folder = dirname(file);
  const beside = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  const meant = nearest(basename(file), beside);
  const made = 'write the first one with `init`, or name another with --config';
  return meant === undefined ? made : `did you mean ${join(folder, meant)}? Else ${made}`;
}

/**
 * The same for a text. Messages name it `file`; caFile and hours begin in that file's folder. Throws
 * ConfigInvalid with all mistakes.
 */
export function parseConfig(text: string, file: string): Config {
  const written = readJson(text, file);
  const result = configShape.safeParse(written);
  const faults = result.success ? [] : faultsOfShape(written);
  const hours = hoursOf(written, file);
  const all = [
    ...faults,
    ...certificateFaults(written, file),
    ...hours.faults,
    ...typeFaults(written, faults),
  ];
  if (!result.success || all.length > 0) throw new ConfigInvalid(file, all);
  const { $schema: _, maskSecret, hours: hoursFile, ...settings } = result.data;
  return {
    ...settings,
    ...(hoursFile !== undefined && { hours: hours.hours }),
    ...(maskSecret !== undefined && { maskSecret: secretFrom(maskSecret, file) }),
    sources: result.data.sources.map((source) => ({
      ...source,
      baseUrl: new URL(source.baseUrl).origin,
      secret: secretFrom(source.secret, file),
      ...(source.caFile !== undefined && { caFile: resolve(dirname(file), source.caFile) }),
    })),
  };
}

/**
 * The mistakes of a config against its shape, one for each field. A source with an unknown kind is read as
 * the probable kind, to report its other mistakes too.
 */
export function faultsOfShape(written: unknown): readonly ConfigFault[] {
  const first = configShape.safeParse(written);
  if (first.success) return [];
  const second = configShape.safeParse(asMeant(written));
  const ofKinds = first.error.issues.filter(({ code }) => code === 'invalid_union');
  return faultsIn([...ofKinds, ...(second.success ? [] : second.error.issues)], written);
}

/** The config with a kind in each source that has none. */
function asMeant(written: unknown): unknown {
  const sources = valueAt(written, ['sources']);
  return Array.isArray(sources) ? { ...(written as object), sources: sources.map(ofKind) } : written;
}

/** A source of the kind with a similar name; otherwise of the kind with the fewest faults. */
function ofKind(source: unknown): unknown {
  const said = valueAt(source, ['kind']);
  const names: readonly string[] = KINDS.map(({ kind }) => kind);
  if (typeof source !== 'object' || source === null || names.includes(String(said))) return source;
  const near = typeof said === 'string' ? nearest(said, names) : undefined;
  const tried = names.map((kind) => ({ ...source, kind }));
  const against = (each: object) => faultsIn(sourceShape.safeParse(each).error?.issues ?? [], each).length;
  return tried.find(({ kind }) => kind === near) ?? tried.toSorted((a, b) => against(a) - against(b))[0];
}

/** The path of a secret's file begins at the config's folder, like caFile's. */
function secretFrom(setting: string, file: string): string {
  const place = secretPlaceOf(setting);
  return place?.kind === 'file' ? `file:${resolve(dirname(file), place.at)}` : setting;
}

/** A column has one type in all sources. Two that want different ones are found before the first call. */
function typeFaults(written: unknown, known: readonly ConfigFault[]): readonly ConfigFault[] {
  const names = sourcesIn(written).map((source) => valueAt(source, ['name']));
  const sources = sourcesIn(written).map((source, index) => ({
    source,
    index,
    label: names.indexOf(names[index]) === index ? String(names[index]) : fieldOf(['sources', index]),
  }));
  return RESOURCE_NAMES.flatMap((table) => {
    const columnsOf = sources.map(({ source, index, label }) => {
      const path = ['resources', table, 'columns'];
      const columns = Object.entries(valueAt(source, path) ?? {}).filter(([column]) => {
        const field = fieldOf(['sources', index, ...path, column]);
        return !known.some((fault) => fault.field === field || fault.field.startsWith(`${field}.`));
      }) as [string, ColumnSetting][];
      // By the names that they get: a name by `as` comes last, because the other one changes.
      const plain = columns.filter(([, { as }]) => as === undefined);
      const named = columns.flatMap(([, each]) => (each.as === undefined ? [] : [[each.as, each] as const]));
      return [label, Object.fromEntries<ColumnSetting | undefined>([...plain, ...named])] as const;
    });
    const names = new Set(columnsOf.flatMap(([, columns]) => Object.keys(columns)));
    return [...names].flatMap((name) => {
      const asked = columnsOf.flatMap(([source, columns]) => {
        const type = columns[name] && askedType(columns[name]);
        return type === undefined ? [] : [{ source, type }];
      });
      const [first] = asked;
      const other = asked.find(({ type }) => type !== first?.type);
      if (first === undefined || other === undefined) return [];
      const says = `is ${first.type} in source ${first.source} and ${other.type} in source ${other.source}: a column has one type, so write the same type in both`;
      return [{ field: fieldOf(['resources', table, 'columns', name]), says }];
    });
  });
}

/** The faults of the files of certificates. */
function certificateFaults(written: unknown, file: string): readonly ConfigFault[] {
  return sourcesIn(written).flatMap((source, index) => {
    const caFile = valueAt(source, ['caFile']);
    if (typeof caFile !== 'string' || caFile === '') return [];
    const fault = certificateFault(resolve(dirname(file), caFile));
    const field = fieldOf(['sources', index, 'caFile']);
    return fault === undefined
      ? []
      : [{ field, says: `is ${JSON.stringify(caFile)}, but ${fault}, or remove ${field}` }];
  });
}

/** The opening hours of the file that the setting names, and its faults: each line has its own. */
function hoursOf(written: unknown, file: string) {
  const [named, zone] = [valueAt(written, ['hours']), valueAt(written, ['timeZone'])];
  if (typeof named !== 'string' || named === '') return { hours: [], faults: [] };
  // A wrong zone of the config has its own message.
  const timeZone = typeof zone === 'string' && zoneFault(zone) === undefined ? zone : 'UTC';
  const { hours, faults } = readHours(resolve(dirname(file), named), timeZone);
  return { hours, faults: faults.map((says) => ({ field: 'hours', says })) };
}

function certificateFault(path: string): string | undefined {
  if (!existsSync(path)) return `there is no file ${path}; put the certificates there`;
  const read = readCertificates(path);
  if ('pem' in read) return undefined;
  return `${path} ${read.fault}; name a readable file with PEM certificates`;
}

function readJson(text: string, file: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    if (!(cause instanceof JsonFault)) throw cause;
    throw new UsageError(`${file} is no JSON: ${cause.message}.`, 'CONFIG_INVALID', cause);
  }
}
