import { type NotedRaw, slicesOf } from '../../run/answers.ts';
import { failListings } from '../../run/outcomes/set-aside.ts';
import type { DuckDb } from '../../runtime/duckdb.ts';
import { leafColumn, leavesSql, recordTextsSql, type Slices } from '../../schema/leaves.ts';
import { quoteLiteral } from '../../sql.ts';
import { type Crowded, ownKeys } from '../observe.ts';

/** Members that a message shows. */
const SHOWN = 6;
/** Their names are data, and may be long. */
const NAME_LENGTH = 40;

/** A source's answers for which the table has room for all members. */
export interface Within {
  readonly slices: Slices;
  /** How many records they have. */
  readonly records: number;
  /** The records' own members. */
  readonly keys: readonly string[];
}

export interface WidthOptions {
  readonly raw: NotedRaw;
  readonly maxColumns: number;
  /** The answers, and what has no room in them. */
  readonly slices: Slices;
  readonly crowded: Crowded;
}

/**
 * A source's answers of one resource, without those that make the table too wide. If they have more than
 * `maxColumns` different members, those of earlier runs and then the most frequent ones have room. Answers
 * with records that have other members fail (TABLE_TOO_WIDE). A listing without parent is one answer. Objects
 * that are taken apart grow from day to day.
 */
export async function withoutRarest(
  db: DuckDb,
  { raw, maxColumns, slices, crowded: { path, added, room } }: WidthOptions,
): Promise<Within> {
  const [object, of] =
    path.length === 0 ? ['record', recordTextsSql(slices)] : [leafColumn(0), leavesSql(slices, [path])];
  await db.run(`
    create or replace temp table members as
    select parent_id, unnest(json_keys(object)) as member
    from (select coalesce(parent_id, '') as parent_id, ${object} as object from (${of}))
    where starts_with(object, '{')`);
  const counted = await db.rows('select member from members group by member order by count(*) desc, member');
  const isAdded = new Set(added);
  const rarest = counted
    .map(({ member }) => String(member))
    .filter((member) => isAdded.has(member))
    .slice(room);
  await db.run(`
    create or replace temp table rare as
    select unnest(from_json(${quoteLiteral(JSON.stringify(rarest))}, '["VARCHAR"]')) as member`);
  const names = rarest
    .slice(0, SHOWN)
    .map((name) => JSON.stringify([...path, name].join('.').slice(0, NAME_LENGTH)));
  await failListings(db, raw, {
    error_code: 'TABLE_TOO_WIDE',
    message: `The records of ${raw.resource} have ${maxColumns - room + added.length} different members and may have ${maxColumns}. This answer has some of the rarest (such as ${names.join(', ')}). If the table is rightly so wide, raise maxColumns of the source.`,
    only: 'select parent_id from members semi join rare using (member)',
  });
  await db.run('drop table members');
  const left = await slicesOf(db, raw);
  const [row] = await db.rows(`
    select coalesce(sum(records), 0)::double as records
    from outcomes
    where source = ${quoteLiteral(raw.source)} and resource = ${quoteLiteral(raw.resource)} and outcome = 'ok'`);
  return { slices: left, records: Number(row?.records), keys: await ownKeys(db, left) };
}
