import { named } from '../../support/named.ts';
import type { NamedMutant } from './named-mutant.ts';

/** What becomes of committed days: recast, hidden, kept, rolled back, purged. */
export const HISTORY: readonly NamedMutant[] = named<Omit<NamedMutant, 'name'>>({
  'own-date-recast-too': {
    fault: 'the date of the run is written twice: by its tables, and by the unit that recasts it',
    file: 'lib/plan/cut-units.ts',
    from: 'date !== record.exportDate && ',
    to: '',
    noticedBy: ['test/slow/retention.test.ts'],
  },
  'long-mask-keys': {
    fault: 'a key of masks over 64 bytes is cut, so that two keys make the same masks',
    file: 'lib/schema/cells/mask-sql.ts',
    from: "(key.length > BLOCK ? createHash('sha256').update(key).digest() : key)",
    to: 'key',
    noticedBy: ['test/schema/sql.test.ts'],
  },
  'dates-rewritten-in-each-run': {
    fault: 'each run writes all days again, though nothing is read in another way',
    file: 'lib/schema/schema-changes.ts',
    from: 'if (isReadAlike(first, column) && !hasNewKey && !isMoved) return [];',
    to: '',
    noticedBy: ['test/slow/retention.test.ts'],
  },
  'a-day-too-many': {
    fault: 'the daily tables keep a day more than dailyRetentionDays',
    file: 'lib/lake/named-files.ts',
    from: 'newestFirst[count - 1]',
    to: 'newestFirst[count]',
    noticedBy: ['test/slow/retention.test.ts'],
  },
  'a-day-too-few': {
    fault: 'the daily tables keep a day less than dailyRetentionDays',
    file: 'lib/lake/named-files.ts',
    from: 'newestFirst[count - 1]',
    to: 'newestFirst[count - 2]',
    noticedBy: ['test/slow/retention.test.ts'],
  },
  'raw-a-day-longer': {
    fault: 'raw answers are kept a day longer than rawRetentionDays',
    file: 'lib/commit/expire-raw.ts',
    from: 'now.getTime() - days * DAY_MS',
    to: 'now.getTime() - (days + 1) * DAY_MS',
    noticedBy: ['test/slow/retention.test.ts'],
  },
  'raw-a-day-shorter': {
    fault: 'raw answers are removed a day before rawRetentionDays is over',
    file: 'lib/commit/expire-raw.ts',
    from: 'now.getTime() - days * DAY_MS',
    to: 'now.getTime() - (days - 1) * DAY_MS',
    noticedBy: ['test/slow/retention.test.ts'],
  },
  'rejects-of-the-same-day': {
    fault:
      'the rejects of an earlier run of the day stay, values of dropped columns among them, where a run has none to write',
    file: 'lib/commit/next-head.ts',
    from: 'if (table === undefined || table.dates[record.exportDate]?.run === own) continue;',
    to: 'continue;',
    noticedBy: ['test/slow/retention.test.ts'],
  },
  'schema-deleted': {
    fault: 'the schema of a run goes with its raw answers, and no rollback to the run is possible',
    file: 'lib/commit/expire-raw.ts',
    from: " && kind !== 'schema'",
    to: '',
    noticedBy: ['test/slow/retention.test.ts'],
  },
  'rollback-to-missing-files': {
    fault: 'a rollback commits a head that names files which are gone',
    file: 'lib/repair/rollback.ts',
    from: 'if (missing !== undefined)',
    to: 'if (false)',
    noticedBy: ['test/slow/rewritten-history.test.ts'],
  },
  'unclean-head-after-purge': {
    fault: 'a purge leaves a head by which a rollback shows the purged source again',
    file: 'lib/repair/purge/remove-rows.ts',
    from: 'if (replacedFiles(head, before).length > 0) return await lake.remove([key]);',
    to: '',
    noticedBy: ['test/slow/rewritten-history.test.ts'],
  },
  'carried-misfits': {
    fault: 'rows lose their misfits when a type is set',
    file: 'lib/publish/make-day.ts',
    from: 'if (now.length === 0 || runs === undefined) return kept;',
    to: 'if (now.length >= 0) return kept;',
    noticedBy: ['test/slow/model.test.ts'],
  },
  'rejects-repeat': {
    fault: 'rejects of carried rows repeat in each date',
    file: 'lib/publish/make-day.ts',
    from: 'where export_run_id in (select export_run_id from',
    to: 'where true or export_run_id in (select export_run_id from',
    noticedBy: ['test/slow/model.test.ts'],
  },
  'unproven-cast': {
    fault: 'schema apply to bigint makes 1.5 a 2, and nothing stands in rejects',
    file: 'lib/schema/cells-sql.ts',
    from: '? valueSql(form, jsonSql(text, was))',
    to: "? 'try_cast(' + own + ' as ' + duckdbType(is) + ')'",
    noticedBy: ['test/slow/model.test.ts'],
  },
  'read-as-stored': {
    fault: 'values that did not change stand in changes where a zone or a type did',
    file: 'lib/publish/committed-sql.ts',
    from: 'await shownRows(context, { table: unit.table, files: newest, range });',
    to: 'await shownRows({ ...context, base: { ...context.base, schema: context.schema } }, { table: unit.table, files: newest, range });',
    noticedBy: ['test/slow/model.test.ts'],
  },
});
