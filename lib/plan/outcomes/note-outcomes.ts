import * as z from 'zod';
import type { NotedRaw } from '../../run/answers.ts';
import { NOTED_JSON } from '../../run/noted.ts';
import type { ListingsOfSource } from '../../run/outcomes/set-aside.ts';
import type { DuckDb } from '../../runtime/duckdb.ts';
import { type Note, noteForm } from '../../sources/note.ts';
import { RESOURCE_NAMES } from '../../sources/resources.ts';
import { ofType, quoteLiteral, rowsSql } from '../../sql.ts';

/** The most notes of one listing: `outcomes` has all of them. */
const MOST_OF_A_LISTING = 8;

const TEXTS = [...ofType('varchar', 'source', 'resource', 'text'), ...ofType('bigint', 'pass')];

/**
 * Makes the table `noted`: a row for each note of list and collect about an answer that counts in the table
 * `outcomes`. `is_of_all` marks notes about the answers to all parents together, which plan adds.
 */
export async function readNoted(db: DuckDb, raw: readonly NotedRaw[]): Promise<void> {
  const texts = raw.flatMap(({ source, resource, notes }) =>
    notes.flatMap(({ pass, notes: text }) => (text === undefined ? [] : [{ source, resource, pass, text }])),
  );
  await db.run(`
    create or replace temp table noted as
    select outcomes.source, outcomes.resource, outcomes.parent_id, each.code, each.says, false as is_of_all
    from (
      select source, resource, pass, note.code, note.says, unnest(note.parents) as parent_id
      from (select source, resource, pass, unnest(from_json(text, ${quoteLiteral(NOTED_JSON)})) as note from (${rowsSql(TEXTS, texts)}))
    ) as each
    join outcomes
      on outcomes.source = each.source
      and outcomes.resource = each.resource
      and outcomes.pass = each.pass
      and outcomes.parent_id is not distinct from each.parent_id`);
}

/** Notes something about the answers of the parents that meet the SQL condition over `outcomes`. */
export async function noteTogether(
  db: DuckDb,
  { source, resource }: ListingsOfSource,
  { code, says, where }: Pick<Note, 'code' | 'says'> & { readonly where: string },
): Promise<void> {
  await db.run(`
    insert into noted
    select source, resource, parent_id, ${quoteLiteral(code)}, ${quoteLiteral(says)}, true
    from outcomes
    where source = ${quoteLiteral(source)} and resource = ${quoteLiteral(resource)} and ${where}`);
}

/** Writes the notes into the table `outcomes`. A failed answer has its message, and no note. */
export async function noteOutcomes(db: DuckDb): Promise<void> {
  await db.run(`
    delete from noted where not exists (
      from outcomes
      where outcomes.source = noted.source
        and outcomes.resource = noted.resource
        and outcomes.parent_id is not distinct from noted.parent_id
        and outcomes.outcome in ('ok', 'empty')
    );
    update outcomes
    set note = said.note
    from (
      select source, resource, parent_id, string_agg(says || '.', ' ' order by code, says) as note
      from noted
      group by source, resource, parent_id
    ) as said
    where outcomes.source = said.source
      and outcomes.resource = said.resource
      and outcomes.parent_id is not distinct from said.parent_id`);
}

const notedRow = noteForm.unwrap().extend({ answers: z.coerce.number(), is_of_all: z.boolean() });

/** The different notes of all sources. */
export async function notedIn(db: DuckDb): Promise<readonly Note[]> {
  const rows = await db.rows(`
    -- grain: source, resource, code, what is said
    select source, resource, code, says, is_of_all, count(*) as answers
    from noted
    group by source, resource, code, says, is_of_all
    qualify row_number() over (partition by source, resource order by count(*) desc, code, says) <= ${MOST_OF_A_LISTING}
    order by code, says`);
  const notes = rows.map((row): Note => {
    const { answers, is_of_all, says, ...note } = notedRow.parse(row);
    return { ...note, says: answers > 1 && !is_of_all ? `${says}, in ${answers} answers` : says };
  });
  return RESOURCE_NAMES.flatMap((name) => notes.filter(({ resource }) => resource === name));
}
