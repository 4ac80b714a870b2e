import * as z from 'zod';
import { COLUMN_TYPES } from '../column-types.ts';
import { valueAt } from '../fields.ts';
import { SOURCE_NAME } from '../lake/keys.ts';
import { FORMAT_NAMES } from '../schema/cells/formats.ts';
import { NO_ID } from '../schema/record-key.ts';
import type { Kind } from '../sources/kind.ts';
import { KINDS } from '../sources/kinds.ts';
import { pathFault } from '../sources/path-template.ts';
import { RESOURCES, type Resource } from '../sources/resources.ts';
import { secretFault } from '../sources/secret-place.ts';
import { IN_ANY_CASE, number, settings, text, whole } from '../sources/settings.ts';
import { zoneFault } from '../time.ts';
import { COLUMN_NAME, columnFaults, MEANING } from './column-faults.ts';
import { fieldOf, sourcesIn } from './config-faults.ts';
import { deploymentSettings } from './deployment-shape.ts';
import { figureSettings, share } from './figure-shape.ts';
import { originFault } from './origin.ts';
import { PAGING_SYNTAX, parsePaging } from './paging-style.ts';
import { scheduleFault } from './schedule.ts';

const MIB = 1024 * 1024;
const list = (due: string) => z.array(text(due), { error: due });

/** A text in which the function finds no fault: the end of "but must be …". */
const faultless = (due: string, faultOf: (given: string) => string | undefined) =>
  text(due).superRefine((given, context) => {
    const message = faultOf(given);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const timeZone = faultless('an IANA time zone such as "Europe/Berlin"', zoneFault);
const secretName = faultless('the name of a secret', secretFault);

/** A path without `.` and `..`: they lead to another place than the written one. */
const pathText = (due: string, pattern: RegExp) =>
  text(due, pattern).refine((path) => !path.split('/').some((part) => part === '.' || part === '..'), {
    error: due,
  });

/** For a resource with children the id must be a field, because they are requested by it. */
function idText(name: string) {
  const children = RESOURCES.find(({ parent }) => parent === name);
  const expected = 'the name of a field';
  if (children === undefined) return text(`${expected}, or "${NO_ID}"`);
  return text(expected).refine((id) => id !== NO_ID, {
    error: `${expected}, because ${children.name} are requested by it`,
  });
}

function resourceSettings({ name, parent }: Resource) {
  return settings(name, {
    path: faultless('a path', (given) => pathFault(given, { isOfParent: parent !== null })).exactOptional(),
    items: text('where the records are: "$", a key path such as "data.items", or "{}"').exactOptional(),
    id: idText(name).exactOptional(),
    paging: text(PAGING_SYNTAX)
      .refine((setting) => parsePaging(setting) !== null, { error: PAGING_SYNTAX })
      .exactOptional(),
    ignore: list('a list of names of headers, or of members next to the records').exactOptional(),
    ...(parent !== null && {
      none: list('a list of the texts with which a 404 says that a parent has none').exactOptional(),
    }),
    complete: z.boolean({ error: 'true or false' }).exactOptional(),
    columns: z
      .record(
        z.string(),
        settings('a column', {
          type: z.enum(COLUMN_TYPES, { error: `one of ${COLUMN_TYPES.join(', ')}` }).exactOptional(),
          format: z.enum(FORMAT_NAMES, { error: `one of ${FORMAT_NAMES.join(', ')}` }).exactOptional(),
          as: text(COLUMN_NAME, /^[a-z_][a-z0-9_]{0,119}$/).exactOptional(),
          values: z
            .record(z.string(), z.union([z.boolean(), z.number(), z.string()], { error: MEANING }), {
              error: `the API's words and what they mean, such as {"ON": true}`,
            })
            .exactOptional(),
          gone: z.boolean({ error: 'true or false' }).exactOptional(),
          changed: z.iso.date({ error: 'a date such as "2026-11-20"' }).exactOptional(),
        }),
        { error: 'columns by name, in { }' },
      )
      .superRefine((columns, context) => {
        const isWrong = (column: string) => context.issues.some(({ path }) => path?.[0] === column);
        const right = Object.fromEntries(Object.entries(columns).filter(([column]) => !isWrong(column)));
        for (const fault of columnFaults(right, name)) context.addIssue({ code: 'custom', ...fault });
      }, IN_ANY_CASE)
      .default({}),
    drop: list('a list of API paths').default([]),
    mask: list('a list of API paths').default([]),
  });
}

function resourcesOf(kind: string) {
  const named = RESOURCES.filter((resource) => resource.kind === kind);
  const shape = Object.fromEntries(
    named.map((resource) => [resource.name, resourceSettings(resource).exactOptional()]),
  );
  return settings(`the resources of a ${kind} source`, shape).default({});
}

function shapeOfKind<Own extends Kind>({ kind, defaults, settings: own }: Own) {
  return settings(`a ${kind} source`, {
    name: text('1 to 63 of a-z, 0-9, _ and -, not _ or - first', SOURCE_NAME),
    was: text('the name that the source had', SOURCE_NAME).exactOptional(),
    kind: z.literal<Own['kind']>(kind),
    baseUrl: text('https:// and a host, such as "https://signage.example.com:8443"'),
    basePath: pathText(
      `a path such as "${defaults.basePath || '/storages'}", without / at its end`,
      /^(\/[^/?#{}\s\\]+)*$/,
    ).default(defaults.basePath),
    secret: secretName,
    concurrency: whole('calls in flight', 1, 1000).default(defaults.concurrency),
    requestsPerSecond: number('calls a second, from 0.01 to 10000, or null for no limit', 0.01, 10_000)
      .nullable()
      .default(defaults.requestsPerSecond),
    timeZone: timeZone.exactOptional(),
    caFile: text('the path of a file of certificates').exactOptional(),
    allowHttp: z.boolean({ error: 'true or false' }).default(false),
    strict: z.boolean({ error: 'true or false' }).default(false),
    maxListingBytes: whole('bytes', MIB, 64 * 1024 * MIB).default(2048 * MIB),
    maxFields: whole('fields of a record', 10, 5000).default(1000),
    maxDepth: whole('lists and objects within each other', 8, 500).default(64),
    maxColumns: whole('members of the records of a listing', 10, 1000).default(300),
    resources: resourcesOf(kind),
    ...(own as Own['settings']),
  });
}

type ShapesOf<Kinds> = {
  -readonly [Index in keyof Kinds]: Kinds[Index] extends Kind
    ? ReturnType<typeof shapeOfKind<Kinds[Index]>>
    : never;
};

/** The shapes of the kinds, in their order. `map` alone loses which shape belongs to which kind. */
const shapesOfKinds = KINDS.map((kind) => shapeOfKind(kind)) as unknown as ShapesOf<typeof KINDS>;

/** A source as it is written. */
export const sourceShape = z
  .discriminatedUnion('kind', shapesOfKinds, {
    error: (issue) =>
      issue.code === 'invalid_union'
        ? KINDS.map(({ kind }) => JSON.stringify(kind)).join(' or ')
        : 'the settings of a source, in { }',
  })
  .superRefine((given, context) => {
    if (typeof given.baseUrl !== 'string') return;
    const fault = originFault(given);
    if (fault !== undefined) context.addIssue({ code: 'custom', path: ['baseUrl'], message: fault });
  }, IN_ANY_CASE);

const sources = z
  .array(sourceShape, { error: 'a list of sources, in [ ]' })
  .min(1, { error: 'a list of at least one source' })
  .superRefine((all, context) => {
    const given = sourcesIn({ sources: all });
    const names = given.map((source) => valueAt(source, ['name']));
    for (const [index, source] of given.entries()) {
      const was = valueAt(source, ['was']);
      if (typeof was !== 'string' || !names.includes(was)) continue;
      const message = 'a name that no source of the config has any more';
      context.addIssue({ code: 'custom', path: [index, 'was'], message });
    }
    for (const [index, name] of names.entries()) {
      const first = names.indexOf(name);
      if (first === index || typeof name !== 'string') continue;
      const message = `another name: sources[${first}] has it already`;
      context.addIssue({ code: 'custom', path: [index, 'name'], message });
    }
  }, IN_ANY_CASE);

const wholeShape = settings('the config', {
  /** Glue database, workgroup and stack. */
  name: text(
    'a name for a Glue database: a letter a-z, then up to 39 of a-z and 0-9, with single _ and - between them',
    /^(?=.{1,40}$)[a-z][a-z0-9]*([_-][a-z0-9]+)*$/,
  ),
  /** When a deployed export starts, in the form of EventBridge Scheduler. */
  schedule: faultless('a schedule such as "cron(0 3 * * ? *)" or "rate(1 day)"', scheduleFault).default(
    'cron(0 3 * * ? *)',
  ),
  /** IANA zone of the schedule and of export_date. */
  timeZone: timeZone.default('UTC'),
  /** Share of a source's outcomes that must be ok, empty or gone. */
  minCoverage: share('a share').default(0.95),
  /** The share by which a listing may shrink. */
  maxShrink: share('a share').default(0.3),
  /** The last hours of a run's 24, in which it calls no source any more. */
  publishHours: whole('hours', 1, 23).default(2),
  /** 0 = gone after the commit. */
  rawRetentionDays: whole('days', 0, 36_500).default(30),
  /** null = for ever. */
  dailyRetentionDays: whole('days, or null for ever', 1, 36_500).nullable().default(null),
  /** Name of the secret that keys the hashes of masked values. */
  maskSecret: secretName.exactOptional(),
  ...figureSettings,
  ...deploymentSettings,
  sources,
  /** Only for editors. */
  $schema: text('the place of its JSON schema').exactOptional(),
});

/** The config as it is written; a missing setting has its default, of its kind of source. */
export const configShape = wholeShape
  .superRefine((config, context) => {
    if (config.maskSecret !== undefined) return;
    const masked = masksOf(config).find(([, mask]) => Array.isArray(mask) && mask.length > 0);
    if (masked === undefined) return;
    const message = `the name of the secret {"key": "…"} with which ${masked[0]} hides values`;
    context.addIssue({ code: 'custom', path: ['maskSecret'], message });
  }, IN_ANY_CASE)
  .superRefine((config, context) => {
    const named = namedSecrets(config);
    for (const [index, { path, name }] of named.entries()) {
      // Sources may share a key. Each other secret has a form of its own, and other readers.
      const first = named.slice(0, index).find((each) => each.name === name);
      if (first === undefined || path[0] === 'sources') continue;
      const message = `the name of another secret: ${fieldOf(first.path)} has this one already`;
      context.addIssue({ code: 'custom', path: [...path], message });
    }
  }, IN_ANY_CASE);

/** The settings that name secrets, those of sources first. */
function namedSecrets(config: unknown) {
  const paths: readonly (readonly (string | number)[])[] = [
    ...sourcesIn(config).map((_, index) => ['sources', index, 'secret']),
    ...[['maskSecret'], ['notify', 'webhookSecret']],
  ];
  return paths.flatMap((path) => {
    const name = valueAt(config, path);
    return typeof name === 'string' ? [{ path, name }] : [];
  });
}

/** The settings `mask` of all listings, each with its field. */
function masksOf(config: unknown): readonly (readonly [string, unknown])[] {
  return sourcesIn(config).flatMap((source, index) =>
    Object.entries(valueAt(source, ['resources']) ?? {}).map(
      ([name, resource]) =>
        [fieldOf(['sources', index, 'resources', name, 'mask']), valueAt(resource, ['mask'])] as const,
    ),
  );
}
