import { UsageError } from '#lib/errors.ts';
import type { OperationPreview } from '#lib/run/payloads.ts';
import { RESOURCE_NAMES } from '#lib/sources/resources.ts';
import { allOf, counted, didYouMean } from '#lib/text.ts';
import { extentText, FIRST, type OperatorCommand, operatorCommand, rawText } from './operate.ts';
import { IN_STACK, type OptionsOf, optionalWord, text } from './options.ts';
import { tell } from './say.ts';

const OPTIONS = {
  key: optionalWord('[key]', 'with --record: its record_key, as the table shows it'),
  source: text('<name>', 'the source to remove; with --record, the one that has the record'),
  record: text('<table>', 'remove one record of this table, with its children'),
  ...FIRST,
  deployed: IN_STACK,
};
type Options = OptionsOf<typeof OPTIONS>;

export const addPurge = operatorCommand(OPTIONS, (options) => {
  const { record, source, key } = options;
  if (record !== undefined) return ofRecord(record, options);
  if (key !== undefined) throw new UsageError('A key needs its table: `purge --record TABLE KEY`.');
  if (source !== undefined) return ofSource(source, options);
  throw new UsageError('Name what to remove: --source NAME, or --record TABLE KEY.');
});

/** Throws UsageError for a table without records, and without a key. */
function ofRecord(record: string, options: Options): OperatorCommand {
  const { key, source } = options;
  const table = RESOURCE_NAMES.find((name) => name === record);
  if (table === undefined) {
    const otherwise = `name one of ${allOf(RESOURCE_NAMES)}`;
    const cure = didYouMean(record, { known: RESOURCE_NAMES, otherwise });
    throw new UsageError(`${JSON.stringify(record)} is no table of records: ${cure}`);
  }
  const due = 'Name the record: `purge --record TABLE KEY`. A KEY that begins with - comes last, after --.';
  if (!key) throw new UsageError(due);
  const name = `${key} of ${table}`;
  return {
    operation: { command: 'purge-record', record: { table, key }, ...(source !== undefined && { source }) },
    asks: (found) =>
      `${name} ${whereText(found, 'is')}. All of it would go, for good; to leave its rows out, ${extentText(found.rewritten)} are written again.`,
    ended: ({ changes }) => {
      const was = changes === undefined ? '' : `${name} ${whereText(changes, 'was')}. `;
      const done = `${was}No table and no raw answer holds it any more; ${LATER}${onS3(options)} A value of another record that names it stays. While the API lists it, each run exports it again, and no setting prevents that: remove it there.`;
      tell(options, { table, key, ...changes }, done);
    },
  };
}

function ofSource(source: string, options: Options): OperatorCommand {
  return {
    operation: { command: 'purge', source },
    asks: ({ rewritten, removed, raw }) =>
      `${source} would lose ${extentText(removed)} and ${rawText(raw)}, for good; to leave its rows out, ${extentText(rewritten)} are written again.`,
    ended: ({ config }) => {
      const isConfigured = config.sources.some(({ name }) => name === source);
      const next = isConfigured
        ? ' The config still has it, so the next run exports it again: remove it there if that is not wanted.'
        : '';
      const done = `No table and no raw answer holds data of ${source} any more; ${LATER}${onS3(options)}${next}`;
      tell(options, { source, isConfigured }, done);
    },
  };
}

const LATER = 'the replaced files are deleted a day from now.';

/** `of berlin is in players (2 rows, 2026-11-20 to 2026-11-21), changes (1 row, 2026-11-20) and 4 files of raw answers`. */
function whereText({ record, raw }: OperationPreview, isOrWas: 'is' | 'was'): string {
  const tables = (record?.tables ?? []).map(({ table, rows, dates }) => {
    const [from, to] = [dates[0], dates.at(-1)];
    return `${table} (${counted(rows, 'row')}, ${from === to ? from : `${from} to ${to}`})`;
  });
  return `of ${record?.source} ${isOrWas} in ${allOf([...tables, rawText(raw)])}`;
}

/** What S3 and Athena still hold: `docs/understand/privacy.md` has all places. */
function onS3({ deployed, lake }: Options): string {
  return deployed || lake.startsWith('s3://')
    ? ' S3 keeps their versions a day longer, and Athena the results of earlier queries for 30 days after each query. The pages of earlier dates in the results bucket (_report/report-DATE.html) name players and screens for 400 days: a purge with --deployed empties them; after a purge from this machine, delete them there.'
    : '';
}
