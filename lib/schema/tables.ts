import { KINDS, kindNamed } from '../sources/kinds.ts';
import { RESOURCES, type Resource } from '../sources/resources.ts';
import type { RelationColumn } from '../sql.ts';
import { allOf } from '../text.ts';

/** A column that a table has whatever the API says. */
export interface FixedColumn extends RelationColumn {
  readonly description: string;
  /** True if lakes of earlier versions have files without it: `later` of the schema says since when. */
  readonly isLater?: true;
}

export interface TableForm {
  readonly name: string;
  readonly description: string;
  /** Fixed columns, in order; those of the API come after them. */
  readonly columns: readonly FixedColumn[];
  /** The columns that tell its rows apart; a table of days has `export_date` too. */
  readonly key: readonly string[];
  /** Those of them in which null counts as a value. @default none */
  readonly keyNulls?: readonly string[];
  /** True without a newest state: the table has only days. */
  readonly onlyDays: boolean;
}

const text = (name: string, description: string): FixedColumn => ({ name, type: 'varchar', description });
const count = (name: string, description: string): FixedColumn => ({ name, type: 'bigint', description });
const time = (name: string, description: string): FixedColumn => ({ name, type: 'timestamp', description });

const SOURCE = text('export_source', 'Name of the source in the config');
const RUN = text('export_run_id', 'Run that asked the API: its scheduled time in UTC');

/** The column with a resource's own id, or its parent's. */
function parentColumnOf({ kind, parentColumn }: Resource): readonly FixedColumn[] {
  if (parentColumn === null) return [];
  const tables = RESOURCES.filter((other) => other.kind === kind && other.parentColumn !== null);
  const joined = allOf(tables.map(({ name }) => name));
  return [text(parentColumn, `Id of the ${kindNamed(kind).parents.one}, joins ${joined}`)];
}

/** Columns that change because a device or a transfer is alive; of 40,000 changes, they are 31,000. */
export const HEARTBEATS: readonly string[] = [
  'attempts',
  'last_access',
  'last_attempt',
  'last_update',
  'usage_last_check',
];

const PARENT = KINDS.map(({ parents }) => parents.one).join(' or ');
const PARENTS = KINDS.map(({ parents }) => parents.many).join(' or ');

/** The partition column of every daily table; it is in no file. */
export const PARTITION_COLUMN = text('export_date', "Date of the run in the config's time zone, YYYY-MM-DD");

const resourceTables: readonly TableForm[] = RESOURCES.map((resource) => ({
  name: resource.name,
  description: `A row is a record of the listing ${resource.listing}`,
  onlyDays: false,
  key: ['export_source', 'record_key'],
  columns: [
    SOURCE,
    RUN,
    time('exported_at', 'When the API said it, UTC'),
    text('record_key', 'Tells the record from all others of its table and source, for ever'),
    ...parentColumnOf(resource),
  ],
}));

/** Every table of a lake, those of the resources first. */
export const TABLES: readonly TableForm[] = [
  ...resourceTables,
  {
    name: 'outcomes',
    description: 'A row is a listing that the run had to request: how it ended',
    onlyDays: false,
    key: ['export_source', 'resource', 'parent_id'],
    keyNulls: ['parent_id'],
    columns: [
      SOURCE,
      RUN,
      text('resource', 'Table that the listing feeds'),
      text('parent_id', `Id of the ${PARENT} of the listing; null for a listing without parent`),
      text('outcome', 'ok, empty, gone, denied or failed'),
      text('error_code', 'Code of the error, explained in the runbook'),
      text('message', 'What went wrong and the cure'),
      count('http_status', 'Status of the deciding answer; null where none came'),
      count('attempts', 'Calls made, retries included'),
      time('observed_at', 'When the deciding answer came, UTC'),
      count('rows', 'Records in the answer'),
      { ...text('note', 'What was seen and needs no answer; null without one'), isLater: true },
    ],
  },
  {
    name: 'schema_columns',
    description:
      'The data dictionary: a row a column of a resource table and path of the API, also of sources that have left the config',
    onlyDays: false,
    key: ['export_source', 'table_name', 'column_name', 'api_path'],
    columns: [
      SOURCE,
      RUN,
      text('table_name', 'Table'),
      text('column_name', 'Column'),
      text('type', 'Type in Athena'),
      text('api_path', 'Where the API has it, keys joined by dots'),
      text('first_seen', 'Run that saw it first'),
      text('last_seen', 'Run that saw it last'),
      { name: 'null_share', type: 'double', description: 'Share of the records of this run without a value' },
      text('format', 'How its text is read as a time'),
      {
        name: 'provisional',
        type: 'boolean',
        description: 'True while no value was seen: the first one decides the type',
      },
      text('question', 'What only the operator can decide'),
      {
        ...text(
          'empty_since',
          'Run since which nearly no record has a value, though nearly all had; else null',
        ),
        isLater: true,
      },
    ],
  },
  {
    name: 'changes',
    description: 'A row is a record added or removed, a row a column that changed, between two runs',
    onlyDays: true,
    key: ['export_source', 'export_run_id', 'table_name', 'record_key', 'column_name'],
    keyNulls: ['record_key', 'column_name'],
    columns: [
      SOURCE,
      RUN,
      time('changed_at', "The run's scheduled time, UTC"),
      text('table_name', 'Table'),
      text('record_key', 'Record; null where it has no id and something of it was hidden later'),
      text('change', 'added, removed or changed'),
      text('column_name', 'Column that changed'),
      text('old_value', 'What it was'),
      text('new_value', 'What it is'),
      text('reason', 'Why a record was removed'),
      {
        name: 'is_heartbeat',
        type: 'boolean',
        description: `True of ${allOf(HEARTBEATS)}, which move with each report; null in days of earlier versions`,
        isLater: true,
      },
    ],
  },
  {
    name: 'rejects',
    description: 'A row is a value that is not in its cell as the API said it',
    onlyDays: true,
    key: ['export_source', 'export_run_id', 'table_name', 'record_key', 'column_name', 'raw_value', 'reason'],
    keyNulls: ['record_key', 'raw_value'],
    columns: [
      SOURCE,
      RUN,
      text('table_name', 'Table'),
      text(
        'record_key',
        'Record; null for a reason that is counted, and where it has no id and something of it was hidden later',
      ),
      text('column_name', 'Column'),
      text('raw_value', 'What the API said'),
      text('reason', 'type, precision, sentinel or secret; in days of earlier versions also name'),
      count('count', 'How many values this row counts'),
    ],
  },
  {
    name: 'runs',
    description: 'A row is a run and source',
    onlyDays: true,
    key: ['export_source', 'export_run_id'],
    columns: [
      SOURCE,
      RUN,
      time('scheduled_at', 'When the run was due, UTC'),
      time('started_at', 'When it began, UTC'),
      time('observed_at', 'When its last listing was answered (ok, empty, gone), UTC; null where none was'),
      text('status', 'complete, partial or failed'),
      count('listed', `How many ${PARENTS} the source listed`),
      count('ok', 'Listings answered with records'),
      count('empty', 'Listings answered without records'),
      count('gone', 'Parents that are no longer there'),
      count('denied', 'Listings that the key may not read'),
      count('failed', 'Listings that could not be read'),
      { name: 'coverage', type: 'double', description: '(ok + empty + gone) ÷ all promised listings' },
      count('requests', 'Calls made'),
      count('retries', 'Calls made again'),
      { name: 'duration_seconds', type: 'double', description: 'From the start to the end of the last call' },
      text('error_code', 'Code of the first failure'),
      text('message', 'What went wrong and the cure'),
    ],
  },
];

/** The form of a table. */
export function tableForm(name: string): TableForm {
  const found = TABLES.find((table) => table.name === name);
  if (found === undefined) throw new Error(`there is no table ${name}`);
  return found;
}
