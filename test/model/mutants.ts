import type { NamedMutant } from '../mutants/named/named-mutant.ts';
import { named } from '../support/named.ts';

/** A mend of a fault of rewritten history that is taken out again: the model must find it. */
export type Mutant = Omit<NamedMutant, 'noticedBy'>;

/** `npm run mutants:model` takes each of them out and says whether the model notices. */
export const MUTANTS: readonly Mutant[] = named<Omit<Mutant, 'name'>>({
  'late-zone': {
    fault: 'a changed timeZone is not applied to history',
    file: 'lib/schema/schema-changes.ts',
    from: 'isLocal ? timeZone : null',
    to: 'null',
  },
  'lost-day': {
    fault: 'one lost daily file makes every run fail once a column widens',
    file: 'lib/run/base.ts',
    from: '.filter((key) => !missing.has(key))',
    to: '',
  },
  'rollback-files': {
    fault: 'a rollback more than a day later deletes the files that it commits',
    file: 'lib/commit/released.ts',
    from: 'isNamed(head, each) || isNamed(next, each)',
    to: 'isNamed(head, each)',
  },
  'left-files': {
    fault: 'a killed rewriting leaves files of other dates for ever',
    file: 'lib/commit/released.ts',
    from: 'if (never.size === 0) return;',
    to: 'return;',
  },
  'head-missing': {
    fault: 'without head.json a run begins again and history is gone',
    file: 'lib/lake/head.ts',
    from: 'if (stored === undefined) return await refuseLostHead(lake, starts);',
    to: 'if (stored === undefined) return undefined;',
  },
  'head-untold': {
    fault: 'a commit that dies before its copy of the head is forgotten where head.json is lost',
    file: 'lib/lake/head.ts',
    from: "await lake.write(lakeKey('nextHead'), bytes);",
    to: '',
  },
  'masked-twice': {
    fault: 'mask on, off, on hashes twice',
    file: 'lib/schema/cells/mask-sql.ts',
    from: 'when starts_with(plain,',
    to: 'when false and starts_with(plain,',
  },
  'no-record': {
    fault: 'schema apply with rawRetentionDays 0 is RUN_UNKNOWN',
    file: 'lib/run/run-record.ts',
    from: 'if (record !== undefined) return record;\n  const { runId',
    to: "if (record !== undefined) return record;\n  if (head !== undefined) throw new Error('RUN_UNKNOWN');\n  const { runId",
  },
  'carried-misfits': {
    fault: 'rows lose their misfits when a type is set',
    file: 'lib/publish/make-day.ts',
    from: 'if (now.length === 0 || runs === undefined) return kept;',
    to: 'if (now.length >= 0) return kept;',
  },
  'rejects-repeat': {
    fault: 'rejects of carried rows repeat in each date',
    file: 'lib/publish/make-day.ts',
    from: 'where export_run_id in (select export_run_id from',
    to: 'where true or export_run_id in (select export_run_id from',
  },
  'far-moments': {
    fault: 'a moment before 1677 or after 2262 ends every run from the second day on',
    file: 'lib/schema/cells/cell-text-sql.ts',
    from: ")::timestamp, '%Y",
    to: ")::timestamp_ms, '%Y",
  },
  'unproven-cast': {
    fault: 'schema apply to bigint makes 1.5 a 2, and nothing stands in rejects',
    file: 'lib/schema/cells-sql.ts',
    from: '? valueSql(form, jsonSql(text, was))',
    to: "? 'try_cast(' + own + ' as ' + duckdbType(is) + ')'",
  },
  'purge-undone': {
    fault: 'after a purge a rollback brings the source back',
    file: 'lib/repair/purge/remove-rows.ts',
    from: 'if (runId !== after.runId) await forgetInHead(lake, { runId, ...options });',
    to: '',
  },
  'read-as-stored': {
    fault: 'values that did not change stand in changes where a zone or a type did',
    file: 'lib/publish/committed-sql.ts',
    from: 'await shownRows(context, { table: unit.table, files: newest, range });',
    to: 'await shownRows({ ...context, base: { ...context.base, schema: context.schema } }, { table: unit.table, files: newest, range });',
  },
});
