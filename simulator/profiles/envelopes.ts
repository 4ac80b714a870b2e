import type { Json, JsonObject } from '../json.ts';
import { type ServedResource, servedNamed } from '../kind.ts';
import type { AnswerBody } from './answer.ts';
import type { AxisValue } from './axes.ts';

/** What opens the records and what closes them, by envelope. In any other, they lie below its name. */
const AROUND: Readonly<Record<string, readonly [string, string]>> = {
  bare: ['[', ''],
  'result-data': ['{"result":"success","data":[', '}'],
  'd-results': ['{"d":{"results":[', '}}'],
  'resource-named': ['{"success":{"ok":true,"notFound":null},"RESOURCE":[', '}'],
};

/** The text around the records; `fields` are the members of the paging. */
export function envelopeOf(kind: AxisValue<'envelope'>, resource: ServedResource, fields: JsonObject) {
  const [open, close] = AROUND[kind] ?? [`{"${kind}":[`, '}'];
  const { listing } = servedNamed(resource);
  const name = `${listing.charAt(0).toLowerCase()}${listing.slice(1)}`;
  return { before: open.replace('RESOURCE', name), after: `]${members(fields)}${close}` };
}

/** `,"a":1,"b":2` */
function members(fields: JsonObject): string {
  return Object.entries(fields)
    .map(([key, value]: [string, Json]) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join('');
}

/** A body of more records is made in pieces; a smaller one at once, which is faster. */
const RECORDS_AT_ONCE = 200;

interface ListText {
  readonly before: string;
  readonly after: string;
  record(record: JsonObject): string;
}

/** `before`, `count` records with commas between them, `after`. */
export function listText(records: Iterable<JsonObject>, count: number, text: ListText): AnswerBody {
  const all = pieces(records, text);
  return count > RECORDS_AT_ONCE ? all : [...all].join('');
}

function* pieces(records: Iterable<JsonObject>, { before, after, record }: ListText): Iterable<string> {
  let text = before;
  let held = 0;
  for (const each of records) {
    text += held > 0 ? `,${record(each)}` : record(each);
    if (++held % RECORDS_AT_ONCE > 0) continue;
    yield text;
    text = '';
  }
  yield text + after;
}
