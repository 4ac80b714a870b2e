import { RESOURCE_NAMES, type ResourceName, type SourceKind } from '#lib/resources.ts';
import { kindOf } from '../kind.ts';
import type { Axes } from './axes.ts';
import type { Dialect } from './dialect.ts';
import type { FieldKind, Fields } from './fields.ts';
import { idsOf } from './ids.ts';
import { keyIn } from './keys.ts';
import { fieldsOf, shapeOf } from './shapes.ts';

/** The strongest thing that stands between a profile's tables and those of reference. */
export type ComparabilityClass = 'identical' | 'identical but for ids' | 'renamed columns' | 'needs setting';

/** A part of a source in the config. */
export interface SourceFragment {
  readonly product?: string;
  readonly versions?: Readonly<Record<string, number>>;
  readonly timeZone?: string;
  readonly resources?: Readonly<Partial<Record<ResourceName, ResourceFragment>>>;
}

export interface ResourceFragment {
  readonly items?: string;
  readonly columns?: Readonly<Record<string, { readonly type: string }>>;
}

/** How tables exported from a profile are compared with those exported from reference. */
export interface Comparability {
  readonly class: ComparabilityClass;
  /** What the config has to say, by kind of source, so that everything is exported as from reference. */
  readonly settings: Readonly<Partial<Record<SourceKind, SourceFragment>>>;
  /** Column of reference → column here. */
  readonly renamed: Readonly<Partial<Record<ResourceName, Readonly<Record<string, string>>>>>;
  /** Columns here that reference does not have. */
  readonly added: Readonly<Partial<Record<ResourceName, readonly string[]>>>;
  /** The id here, as text, of a record that has this id in reference. */
  idText(resource: ResourceName, id: number): string;
  /** Resources that lie in another shape: to be compared with what the profile served, not with reference. */
  readonly reshaped: readonly ResourceName[];
  /** A text that is absent in reference is empty here. */
  readonly emptyForAbsent: boolean;
}

/** The zone of dialects that write local time. */
const TIME_ZONE = 'Europe/Berlin';

export function comparabilityOf(dialect: Dialect): Comparability {
  const axes = (resource: ResourceName) => (kindOf(resource) === 'backup' ? dialect.backup : dialect.signage);
  const fragments = {
    signage: fragmentOf(dialect, 'signage', dialect.signage),
    backup: fragmentOf(dialect, 'backup', dialect.backup),
  };
  const settings = Object.fromEntries(
    Object.entries(fragments).filter(([, fragment]) => Object.keys(fragment).length > 0),
  );
  const renamed = Object.fromEntries(
    RESOURCE_NAMES.flatMap((resource) => {
      const here = keyIn(idsOf(axes(resource).id).field(resource), 'snake');
      return here === 'id' || !hasId(resource, dialect) ? [] : [[resource, { id: here }]];
    }),
  );
  const ids = [dialect.signage.id, dialect.backup.id];
  const reshaped = RESOURCE_NAMES.filter((resource) => {
    const shape = shapeOf(resource, dialect.shapes);
    return shape === 'tree' ? resource !== 'backup_pricing' : resource === 'backup_pricing';
  });
  const added = Object.fromEntries(
    RESOURCE_NAMES.filter((resource) => isInMap(dialect, resource, axes(resource))).map((resource) => [
      resource,
      // Both names where the record's own id is called Key.
      ['key', 'key_2'],
    ]),
  );
  return {
    class: classOf(settings, renamed, ids),
    settings,
    renamed,
    added,
    idText: (resource, id) => String(idsOf(axes(resource).id).write(resource, id)),
    reshaped,
    emptyForAbsent: [dialect.signage.absent, dialect.backup.absent].includes('empty'),
  };
}

function classOf(settings: object, renamed: object, ids: readonly Axes['id'][]): ComparabilityClass {
  if (Object.keys(settings).length > 0) return 'needs setting';
  if (Object.keys(renamed).length > 0) return 'renamed columns';
  return ids.every((id) => id === 'native') ? 'identical' : 'identical but for ids';
}

function hasId(resource: ResourceName, dialect: Dialect): boolean {
  return Object.values(fieldsOf(resource, dialect.shapes) ?? {}).includes('id');
}

function fragmentOf(dialect: Dialect, kind: SourceKind, axes: Axes): SourceFragment {
  const local = axes.dates === 'local' || axes.dates === 'sql' || axes.dates === 'german';
  const resources = Object.fromEntries(
    RESOURCE_NAMES.filter((resource) => kindOf(resource) === kind).flatMap((resource) => {
      const fragment = resourceFragment(dialect, resource, axes);
      return Object.keys(fragment).length === 0 ? [] : [[resource, fragment]];
    }),
  );
  return {
    ...(local ? { timeZone: TIME_ZONE } : {}),
    ...(Object.keys(resources).length > 0 ? { resources } : {}),
  };
}

function resourceFragment(dialect: Dialect, resource: ResourceName, axes: Axes): ResourceFragment {
  const inMap = isInMap(dialect, resource, axes);
  const columns = Object.fromEntries(typedColumns('', fieldsOf(resource, dialect.shapes) ?? {}, axes));
  return {
    ...(inMap ? { items: '{}' } : {}),
    ...(Object.keys(columns).length > 0 ? { columns } : {}),
  };
}

/** The records lie in an object by their key, which becomes a column beside theirs. */
function isInMap(dialect: Dialect, resource: ResourceName, axes: Axes): boolean {
  const shape = shapeOf(resource, dialect.shapes);
  const oneObject = resource === 'backup_pricing' && shape === 'tree';
  return (axes.envelope === 'keyed-map' || shape === 'map') && !oneObject;
}

/** The columns whose values do not show their type: 0 and 1 for booleans, digits in quotes for numbers. */
function typedColumns(prefix: string, fields: Fields, axes: Axes): [string, { type: string }][] {
  return Object.entries(fields).flatMap(([key, kind]) => {
    const column = prefix + keyIn(key, 'snake');
    if (typeof kind === 'object') return typedColumns(`${column}_`, kind, axes);
    const type = hiddenType(kind, axes);
    return type === undefined ? [] : [[column, { type }]];
  });
}

function hiddenType(kind: FieldKind, axes: Axes): string | undefined {
  if (kind === 'boolean' && axes.booleans === 'number') return 'boolean';
  if (axes.numbers !== 'text') return undefined;
  if (kind === 'integer') return 'bigint';
  return kind === 'decimal' ? 'decimal(38,9)' : undefined;
}
