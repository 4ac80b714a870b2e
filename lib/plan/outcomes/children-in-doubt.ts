import * as z from 'zod';
import { isRoundNumber } from '../../api/pages/totals.ts';
import { type NotedRaw, slicesOf } from '../../run/answers.ts';
import { newestKeys } from '../../run/base.ts';
import { isPaged } from '../../run/dialects.ts';
import { type Said, sayOfListings } from '../../run/outcomes/set-aside.ts';
import { type Resource, resourceNamed } from '../../sources/resources.ts';
import type { Source } from '../../sources/source.ts';
import { quoteLiteral, readParquet } from '../../sql.ts';
import type { PlanCode } from '../failure-questions.ts';
import type { Planning } from '../planning.ts';
import { noteTogether } from './note-outcomes.ts';
import { type AnswerOf, pathsOfField } from './paths-of-field.ts';

/** So many parents with the same largest, round number of records are not a coincidence. */
const PILE_AT_LEAST = 3;
/** No server has shorter pages. */
const PAGE_AT_LEAST = 8;
/** So many parents must all have the same records. */
const ALIKE_AT_LEAST = 3;
/** So many parents must all be without a record: a few may be new. */
const MANY_PARENTS = 10;
/** `{"Number": 1, "IsOn": true}` may be every player's screen. An id that all share cannot be. */
const NAMES_AN_ID = /"[a-z_-]{0,20}(?:id|guid|uuid)"\s{0,4}:/i;

/** What the answers of all parents show together, and no single answer shows. */
const together = z.object({
  parents: z.coerce.number(),
  /** Records of the parents with most and with least. */
  most: z.coerce.number(),
  least: z.coerce.number(),
  /** Parents with most. */
  atMost: z.coerce.number(),
});

/** What the answers of a source's parents show together of their children. */
interface Children extends Omit<Planning, 'raw'> {
  readonly raw: NotedRaw;
  readonly resource: Resource;
  readonly source: Source;
  readonly together: z.infer<typeof together>;
}

interface Doubt extends Pick<Said, 'outcome' | 'choices'> {
  readonly code: PlanCode;
  readonly says: string;
  /** Which of the parents' outcomes. */
  readonly where: string;
}

/**
 * Gives the children of each source at most one doubt, from what all parents' answers show together. It is a note in the
 * table `noted`, unless the source is strict or each answer has the children of the others: then the table `outcomes`
 * calls them failed or in doubt. The length of a queue says nothing, because queues fill and empty.
 */
export async function doubtChildren(options: Planning): Promise<void> {
  const { db } = options;
  const rows = await db.rows(COUNTS);
  for (const raw of options.raw) {
    const resource = resourceNamed(raw.resource);
    const source = options.sources.find(({ name }) => name === raw.source);
    const row = rows.find((each) => each.source === raw.source && each.resource === raw.resource);
    if (source === undefined || row === undefined || source.resources[resource.name]?.complete === true)
      continue;
    const children = { ...options, raw, resource, source, together: together.parse(row) };
    // The worst comes first: records of other parents.
    const doubt = (await alikeDoubt(children)) ?? (await emptyDoubt(children)) ?? (await cutDoubt(children));
    if (doubt === undefined) continue;
    const { code, where, ...said } = doubt;
    if (said.outcome !== 'failed' && !source.strict) await noteTogether(db, raw, doubt);
    else
      await sayOfListings(db, raw, {
        ...said,
        error_code: code,
        where: `parent_id is not null and error_code is null and ${where}`,
      });
  }
}

/** The longest answers end where a server cuts. If they did so in the run before, it was said then. */
async function cutDoubt(children: Children): Promise<Doubt | undefined> {
  const { parents, most, atMost } = children.together;
  const { name, isQueue } = children.resource;
  if (isQueue || !mayBeCut(children)) return undefined;
  if (!children.source.strict && (await mostBefore(children)) === most) return undefined;
  const says = `${atMost} of ${parents} parents have exactly ${most} ${name} and none has more. A server may stop there, and nothing shows whether there are more`;
  return { code: 'CAP_SUSPECTED', says, where: `outcome = 'ok' and records = ${most}` };
}

/** No parent has a record, and none had one before. */
async function emptyDoubt(children: Children): Promise<Doubt | undefined> {
  const { parents, most } = children.together;
  const { name, isQueue } = children.resource;
  if (most > 0 || parents < MANY_PARENTS || isQueue || (await mostBefore(children)) > 0) return undefined;
  const says = `None of ${parents} parents has ${name}: the path may be the wrong one`;
  return { code: 'CHILDREN_ALIKE', says, where: `outcome = 'empty'` };
}

/** Each answer names several parents. Or all parents have the same records, and no run has published some. */
async function alikeDoubt(children: Children): Promise<Doubt | undefined> {
  const { resource, together } = children;
  const { parents, most, least } = together;
  const mayBeAlike = least > 0 && least === most && parents >= ALIKE_AT_LEAST;
  const isNew = mayBeAlike && (await mostBefore(children)) === 0;
  // One record cannot name several parents.
  if (!isNew && (!mayBeAlike || most < 2)) return undefined;
  const answers = await someAnswers(children);
  const choices = pathsOfField({ ...children, answers });
  const says = `All ${parents} parents have the same ${most} ${resource.name}: the server may ignore the id of the parent`;
  const alike = { code: 'CHILDREN_ALIKE', says, where: `outcome = 'ok'` } as const;
  // A record that names another parent than the requested one does not belong to this parent.
  if (choices.length > 0) return { ...alike, choices, outcome: 'failed' };
  if (!isNew || resource.isQueue || !(await areSame(children))) return undefined;
  return parents >= MANY_PARENTS || NAMES_AN_ID.test(String(answers[0]?.records)) ? alike : undefined;
}

/** The answers that count: of parents that have the listing. */
const COUNTS = `
  -- grain: source, resource
  select
    source, resource, sum(parents) as parents, max(records) as most, min(records) as least,
    max_by(parents, records) as "atMost"
  from (
    select source, resource, coalesce(records, 0) as records, count(*) as parents
    from outcomes
    where parent_id is not null and outcome in ('ok', 'empty')
    group by all
  )
  group by all`;

/**
 * True if the longest answers end where a server cuts, and nothing in them mentions pages. A server cuts at a round
 * number of records, or at another listing's page length.
 */
function mayBeCut(options: Children): boolean {
  const { raw, source, resource, together, dialects } = options;
  if (source.resources[resource.name]?.paging !== undefined) return false;
  const { locks = {}, resources = {} } = dialects.get(source.name) ?? {};
  const pageSizes = [...Object.values(locks), ...Object.values(resources)].map(
    (found) => found.dialect?.pageSize,
  );
  const areRound = isRoundNumber(together.most) && together.atMost >= PILE_AT_LEAST;
  const arePage = together.most >= PAGE_AT_LEAST && pageSizes.includes(together.most);
  if (!areRound && !arePage) return false;
  // A total may be only the length of the page, as on every page.
  return !raw.notes.some(isPaged);
}

/** The records of the parent with most in the tables. 0: no run has published any, so the way to request them is not proven. */
async function mostBefore({ db, lake, base, source, resource }: Children): Promise<number> {
  const paths = await lake.localPaths(newestKeys(base, resource.name));
  if (paths.length === 0) return 0;
  const [row] = await db.rows(`
    -- grain: one row
    select max(records) as most
    from (
      select count(*) as records
      from ${readParquet(paths)}
      where export_source = ${quoteLiteral(source.name)}
      group by split_part(record_key, '/', 1)
    )`);
  return Number(row?.most ?? 0);
}

/** SQL of the slices that count. */
async function countedSlices({ db, raw }: Children): Promise<string> {
  const { sql, counts } = await slicesOf(db, raw);
  return `(select * from (${sql}) ${counts === undefined ? '' : `where ${counts}`})`;
}

/** The answers of as many parents as must be alike. The texts of a large fleet do not fit into DuckDB's memory. */
async function someAnswers(children: Children): Promise<readonly AnswerOf[]> {
  const { source, resource } = children.raw;
  const rows = await children.db.rows(`
    -- grain: parent
    select parent_id, string_agg(records, ',' order by page, slice) as records
    from ${await countedSlices(children)}
    where parent_id in (
      select parent_id
      from outcomes
      where source = ${quoteLiteral(source)} and resource = ${quoteLiteral(resource)} and outcome = 'ok'
      order by hash(parent_id), parent_id
      limit ${ALIKE_AT_LEAST}
    )
    group by parent_id
    order by parent_id`);
  return rows.map(({ parent_id, records }) => ({ parentId: String(parent_id), records: String(records) }));
}

/** True if the records of all parents have one text. The query compares hashes. */
async function areSame(children: Children): Promise<boolean> {
  const texts = await children.db.rows(`
    -- grain: text
    select text
    from (
      select parent_id, bit_xor(hash(page, slice, records)) as text
      from ${await countedSlices(children)}
      group by parent_id
    )
    group by text
    limit 2`);
  return texts.length === 1;
}
