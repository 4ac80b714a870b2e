import { kindOf, SERVED_NAMES, type ServedKind, type ServedResource } from '#simulator/kind.ts';
import type { Axes, AxisValue } from '#simulator/profiles/axes.ts';
import { RENAMED } from '#simulator/profiles/backup-2023.ts';
import type { FieldKind, Fields } from '#simulator/profiles/fields.ts';
import { idsOf } from '#simulator/profiles/ids.ts';
import type { Dialect, Profile } from '#simulator/profiles/profile.ts';
import { absentForm } from '#simulator/profiles/record-writer.ts';
import { fieldsOf, shapeOf } from '#simulator/profiles/shapes.ts';
import { keyIn } from '#simulator/profiles/values.ts';

/** A part of a source in the config. */
interface SourceFragment {
  readonly product?: string;
  readonly versions?: Readonly<Record<string, number>>;
  readonly timeZone?: string;
  readonly resources?: Readonly<Partial<Record<ServedResource, ResourceFragment>>>;
}

interface ResourceFragment {
  readonly complete?: true;
  readonly items?: string;
  readonly columns?: Readonly<Record<string, { readonly type: string }>>;
}

/** How tables that were exported from a profile compare with those from reference. */
export interface Comparability {
  /** The settings of each kind of source with which everything is exported as from reference. */
  readonly settings: Readonly<Partial<Record<ServedKind, SourceFragment>>>;
  /** Column of reference → column here. */
  readonly renamed: Readonly<Partial<Record<ServedResource, Readonly<Record<string, string>>>>>;
  /** Columns here that reference does not have. */
  readonly added: Readonly<Partial<Record<ServedResource, readonly string[]>>>;
  /** Every column of the resource that reference may have, by its name there. */
  columns(resource: ServedResource): readonly FieldColumn[];
  /** The id here, as text, of a record that has this id in reference. */
  idText(resource: ServedResource, id: number): string;
  /** Resources with another shape, which are compared with what the profile served and not with reference. */
  readonly reshaped: readonly ServedResource[];
}

export interface FieldColumn {
  readonly name: string;
  /** How the profile writes a missing value: `empty` only for texts, `sentinel` only for times. */
  readonly absent: AxisValue<'absent'>;
}

/** The zone of dialects that write local time. */
const TIME_ZONE = 'Europe/Berlin';

/** Undefined: its tables are compared with what the profile served, not with those of reference. */
export function comparabilityOf({ name, dialect }: Profile): Comparability | undefined {
  if (dialect.text !== undefined || dialect.paging !== undefined) return undefined;
  return name === 'backup-2023' ? { ...ofDialect(dialect), ...OF_2023 } : ofDialect(dialect);
}

const OF_2023: Partial<Comparability> = {
  settings: { backup: { product: 'backups', versions: { slots: 1 } } },
  renamed: { backup_storages: RENAMED },
  added: {
    backup_storages: ['new_interface', 'nb_unallocated_mobile_workstation', 'rights_check', 'rights_sale'],
  },
};

function ofDialect(dialect: Dialect): Comparability {
  const axes = (resource: ServedResource) =>
    kindOf(resource) === 'backup' ? dialect.backup : dialect.signage;
  const fragments = {
    signage: fragmentOf(dialect, 'signage', dialect.signage),
    backup: fragmentOf(dialect, 'backup', dialect.backup),
  };
  const settings = Object.fromEntries(
    Object.entries(fragments).filter(([, fragment]) => Object.keys(fragment).length > 0),
  );
  const renamed = Object.fromEntries(
    SERVED_NAMES.flatMap((resource) => {
      const name = keyIn(idsOf(axes(resource).id).field(resource), 'snake');
      // The key of the map, $key, comes before a Key of the record's own.
      const here = name === 'key' && isInMap(dialect, resource, axes(resource)) ? 'key_2' : name;
      return here === 'id' || !hasId(resource, dialect) ? [] : [[resource, { id: here }]];
    }),
  );
  const reshaped = SERVED_NAMES.filter((resource) => {
    const shape = shapeOf(resource, dialect.shapes);
    return shape === 'tree' ? resource !== 'backup_pricing' : resource === 'backup_pricing';
  });
  const added = Object.fromEntries(
    SERVED_NAMES.filter((resource) => isInMap(dialect, resource, axes(resource))).map((resource) => [
      resource,
      ['key'],
    ]),
  );
  return {
    settings,
    renamed,
    added,
    idText: (resource, id) => String(idsOf(axes(resource).id).write(resource, id)),
    reshaped,
    columns: (resource) =>
      leafColumns('', fieldsOf(resource, dialect.shapes)).map(({ name, kind }) => ({
        name,
        absent: absentForm(resource, kind, axes(resource)),
      })),
  };
}

function hasId(resource: ServedResource, dialect: Dialect): boolean {
  return Object.values(fieldsOf(resource, dialect.shapes)).includes('id');
}

function fragmentOf(dialect: Dialect, kind: ServedKind, axes: Axes): SourceFragment {
  const local = axes.dates === 'local' || axes.dates === 'sql' || axes.dates === 'german';
  const resources = Object.fromEntries(
    SERVED_NAMES.filter((resource) => kindOf(resource) === kind).flatMap((resource) => {
      const fragment = resourceFragment(dialect, resource, axes);
      return Object.keys(fragment).length === 0 ? [] : [[resource, fragment]];
    }),
  );
  return {
    ...(local ? { timeZone: TIME_ZONE } : {}),
    ...(Object.keys(resources).length > 0 ? { resources } : {}),
  };
}

function resourceFragment(dialect: Dialect, resource: ServedResource, axes: Axes): ResourceFragment {
  const inMap = isInMap(dialect, resource, axes);
  const columns = Object.fromEntries(
    leafColumns('', fieldsOf(resource, dialect.shapes)).flatMap(({ name, kind }) => {
      const type = hiddenType(kind, axes);
      return type === undefined ? [] : [[name, { type }]];
    }),
  );
  return { ...(inMap ? { items: '{}' } : {}), ...(Object.keys(columns).length > 0 ? { columns } : {}) };
}

/** True if the records lie in an object by their key, which becomes one more column. */
function isInMap(dialect: Dialect, resource: ServedResource, axes: Axes): boolean {
  const shape = shapeOf(resource, dialect.shapes);
  const oneObject = resource === 'backup_pricing' && shape === 'tree';
  return (axes.envelope === 'keyed-map' || shape === 'map') && !oneObject;
}

interface LeafColumn {
  readonly name: string;
  readonly kind: Exclude<FieldKind, Fields>;
}

/** The columns of fields, with those of objects in them. */
function leafColumns(prefix: string, fields: Fields): readonly LeafColumn[] {
  return Object.entries(fields).flatMap(([key, kind]) => {
    const name = prefix + keyIn(key, 'snake');
    return typeof kind === 'object' ? leafColumns(`${name}_`, kind) : [{ name, kind }];
  });
}

/** The type of a column that its values hide: booleans as 0 and 1, numbers as digits in quotes. */
function hiddenType(kind: FieldKind, axes: Axes): string | undefined {
  if (kind === 'boolean' && axes.booleans === 'number') return 'boolean';
  if (axes.numbers !== 'text') return undefined;
  if (kind === 'integer') return 'bigint';
  return kind === 'decimal' ? 'decimal(38,9)' : undefined;
}
