import type { JsonObject } from '../json.ts';
import type { AnswerBody } from './answer.ts';

/** A body of more records is made in pieces; a smaller one at once, which is faster. */
const RECORDS_AT_ONCE = 200;

interface ListText {
  readonly before: string;
  readonly after: string;
  /** One record. */
  record(record: JsonObject): string;
}

/** `before`, `count` records with commas between them, `after`. */
export function listText(records: Iterable<JsonObject>, count: number, text: ListText): AnswerBody {
  const all = pieces(records, text);
  return count > RECORDS_AT_ONCE ? all : [...all].join('');
}

function* pieces(records: Iterable<JsonObject>, { before, after, record }: ListText): Iterable<string> {
  let text = before;
  let separator = '';
  let held = 0;
  for (const each of records) {
    text += separator + record(each);
    separator = ',';
    if (++held % RECORDS_AT_ONCE === 0) {
      yield text;
      text = '';
    }
  }
  yield text + after;
}
