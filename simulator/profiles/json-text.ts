import type { JsonObject } from '../json.ts';
import type { AnswerBody } from './answer.ts';

/** A body of more records is made in pieces; a smaller one at once, which is faster. */
const RECORDS_AT_ONCE = 200;

/** `before`, `count` records with commas between them, `after`. */
export function listText(
  records: Iterable<JsonObject>,
  count: number,
  before: string,
  after: string,
  record: (record: JsonObject) => string = JSON.stringify,
): AnswerBody {
  if (count > RECORDS_AT_ONCE) return pieces(records, before, after, record);
  let text = before;
  let separator = '';
  for (const each of records) {
    text += separator + record(each);
    separator = ',';
  }
  return text + after;
}

function* pieces(
  records: Iterable<JsonObject>,
  before: string,
  after: string,
  record: (record: JsonObject) => string,
): Iterable<string> {
  let text = before;
  let separator = '';
  let held = 0;
  for (const each of records) {
    text += separator + record(each);
    separator = ',';
    if (++held === RECORDS_AT_ONCE) {
      yield text;
      text = '';
      held = 0;
    }
  }
  yield text + after;
}
