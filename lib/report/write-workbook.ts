import writeXlsxFile, { type Row, type Sheet } from 'write-excel-file/node';
import type { RunRecord } from '../run/run-record.ts';
import { notKnown } from '../views/not-known.ts';
import type { QueryResult, Tables } from '../views/open-tables.ts';
import { type Sentence, told } from '../views/sentence.ts';

/** A sheet of Excel ends at 1,048,576 rows; one that a person can still filter has fewer. */
const ROWS_A_SHEET = 100_000;
/** Characters that a cell of Excel holds at most. */
const CHARACTERS_A_CELL = 32_767;
const HEAD = { fontWeight: 'bold', backgroundColor: '#E8ECF1', wrap: true } as const;
const TIME = 'yyyy-mm-dd hh:mm';

/**
 * The views as sheets of a workbook, after one that says what they are of. Times are in the config's zone, as Excel
 * knows no zones. Every text is a text cell, so that one which begins with = + - or @ is no formula; what XML has no
 * place for, such as control characters, the library leaves out.
 */
export async function writeWorkbook(tables: Tables, record: RunRecord): Promise<Buffer> {
  const { timeZone } = record.config;
  const sheets: Sheet<Buffer>[] = [];
  const counts = new Map<string, number>();
  const unknown = await notKnown(tables);
  for (const { name } of tables.views) {
    const answer = await tables.query(`select * from ${name} order by all limit ${ROWS_A_SHEET}`);
    const total = await tables.query(`select count(*) from ${name}`);
    counts.set(name, Number(total.rows[0]?.[0]));
    sheets.push(sheetOf(name, answer, { timeZone, notKnown: unknown.get(name) ?? [] }));
  }
  const answer = writeXlsxFile([aboutSheet(tables, record, { counts, unknown }), ...sheets]);
  return await answer.toBuffer();
}

function sheetOf(
  name: string,
  { columns, types, rows }: QueryResult,
  { timeZone, notKnown }: { readonly timeZone: string; readonly notKnown: readonly Sentence[] },
): Sheet<Buffer> {
  const local = wallClock(timeZone);
  const body = rows.map((row) => row.map((cell, index) => cellOf(cell, types[index] ?? '', local)));
  return {
    sheet: name,
    // An empty sheet would say that there is none.
    data: [
      columns.map((value) => ({ value, type: String, ...HEAD })),
      ...body,
      ...(rows.length === 0 ? notKnown.map(note) : []),
    ],
    columns: columns.map((column, index) => ({ width: widthOf(column, types[index] ?? '') })),
    stickyRowsCount: 1,
  };
}

/** A row that is a sentence and no record. */
const note = (sentence: Sentence): Row => [{ value: told(sentence), type: String, fontStyle: 'italic' }];

function widthOf(column: string, type: string): number {
  if (/^TIMESTAMP/.test(type)) return 17;
  return type === 'VARCHAR' ? Math.max(18, column.length + 2) : Math.max(10, column.length + 2);
}

function cellOf(cell: unknown, type: string, local: (iso: string) => Date): Row[number] {
  if (cell === null || cell === undefined) return null;
  if (typeof cell === 'number') return { value: cell, type: Number };
  if (typeof cell === 'boolean') return { value: cell, type: Boolean };
  if (typeof cell === 'string' && /^TIMESTAMP/.test(type))
    return { value: local(cell), type: Date, format: TIME };
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell);
  return { value: text.slice(0, CHARACTERS_A_CELL), type: String };
}

/** The instant as the clocks of the zone show it, in the fields that the library writes: those of UTC. */
function wallClock(timeZone: string): (iso: string) => Date {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (iso) => new Date(`${format.format(new Date(iso)).replace(' ', 'T')}Z`);
}

function aboutSheet(
  { head, views, leftOut }: Tables,
  { config }: RunRecord,
  {
    counts,
    unknown,
  }: {
    readonly counts: ReadonlyMap<string, number>;
    readonly unknown: ReadonlyMap<string, readonly Sentence[]>;
  },
): Sheet<Buffer> {
  const bold = (value: string) => ({ value, type: String, ...HEAD });
  const text = (value: string) => ({ value, type: String, wrap: true });
  return {
    sheet: 'about',
    columns: [{ width: 22 }, { width: 80 }, { width: 12 }, { width: 12 }],
    stickyRowsCount: 1,
    data: [
      [bold('signage-export'), bold(config.name), bold('rows'), bold('in sheet')],
      [text('newest run'), text(`${head.runId}, ${head.status}`)],
      [text('committed'), text(head.committedAt)],
      [text('times'), text(`in ${config.timeZone}`)],
      ...views.map(({ name, question }) => {
        const rows = counts.get(name) ?? 0;
        return [
          text(name),
          text(question),
          { value: rows, type: Number },
          { value: Math.min(rows, ROWS_A_SHEET), type: Number },
        ];
      }),
      ...views.flatMap(({ name }) =>
        (unknown.get(name) ?? []).map((sentence) => [text(name), text(told(sentence))]),
      ),
      ...leftOut.map(({ name, missing }) => [
        text(name),
        text(`left out: it needs ${missing.map(({ column, reason }) => `${column} (${reason})`).join(', ')}`),
      ]),
    ],
  };
}
