import type { CellForm } from '#lib/schema/cells/cast-sql.ts';
import type { Reading } from '#lib/schema/cells/formats.ts';
import { decimalOf, HOLDS, instantOf, isNumberToken, momentsOf } from './reference.ts';

/** What must be in a cell: a number by its value, a moment by its milliseconds, everything else by its text. */
export interface Expected {
  readonly value: string | null;
  readonly reason: string | null;
}

const NULL: Expected = { value: null, reason: null };
const held = (value: string, reason: string | null = null): Expected => ({ value, reason });
const rejected = (reason: string): Expected => ({ value: null, reason });

/** Half a surrogate pair, and the characters that stand for what JSON of DuckDB cannot hold. */
const UNFIT = /[\uD800-\uDFFF\uFDD0-\uFDD2]/gu;

/** Those of a day without a time. */
const DAYS: readonly string[] = ['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'];

/** The cell of a JSON value, as it is written, in a column of that type. */
export function expectedOf({ type, reading, rejects }: CellForm, token: string): Expected {
  // An object without members says as much.
  if (token === 'null' || token === '{}') return NULL;
  const text: string | undefined = token.startsWith('"') ? String(JSON.parse(token)) : undefined;
  if (type === 'varchar' && text !== undefined) {
    const whole = text.replace(UNFIT, '\uFFFD');
    return held(whole, whole !== text && rejects !== undefined ? 'precision' : null);
  }
  if (type === 'varchar') return held(isNumberToken(token) ? decimalOf(token) : token);
  if (text === '') return reading.isEmptyKnown === true ? NULL : rejected('sentinel');
  if (type === 'boolean') {
    const word = (text ?? token).toLowerCase();
    if (['true', 'false'].includes(word)) return held(word);
    const number = reading.readsZeroAndOne === true && isNumberToken(word) ? decimalOf(word) : 'none';
    if (number === decimalOf('1')) return held('true');
    return number === decimalOf('0') ? held('false') : rejected('type');
  }
  if (type === 'timestamp' || type === 'date')
    return expectedMoment(type, reading, text ?? token, text === undefined);
  const number = text === undefined || reading.readsDigitsInText === true ? (text ?? token) : '';
  return isNumberToken(number) && HOLDS[type](number) ? held(decimalOf(number)) : rejected('type');
}

function expectedMoment(type: 'timestamp' | 'date', reading: Reading, text: string, isNumber: boolean) {
  const readsEpoch = type === 'timestamp' && reading.formats.some((format) => format.startsWith('unix-'));
  if (isNumber && /^-?0(\.0)?$|^0e5$/.test(text) && readsEpoch) return rejected('sentinel');
  if (isNumber || /^[1-9]\d{8,18}$/.test(text))
    return type === 'date' ? rejected('type') : expectedEpoch(reading, text, isNumber);
  const moments = momentsOf(text);
  if (moments.includes('sentinel')) return rejected('sentinel');
  const moment = moments.find((each) => each !== 'sentinel' && reading.formats.includes(each.format));
  if (moment === undefined || moment === 'sentinel' || DAYS.includes(moment.format) !== (type === 'date'))
    return rejected('type');
  if (reading.zeroTime === 'never' && moment.format === 'iso' && moment.ms === 0 && !moment.isCut)
    return rejected('sentinel');
  const ms = moment.isLocal ? instantOf(moment.ms, reading.timeZone ?? 'UTC') : moment.ms;
  return ms === undefined ? rejected('type') : held(String(ms), moment.isCut ? 'precision' : null);
}

function expectedEpoch(reading: Reading, text: string, isNumber: boolean): Expected {
  const [, whole = '', fraction = ''] = /^(\d{10})\.(\d{1,5})$/.exec(text) ?? [];
  if (isNumber && fraction !== '' && !fraction.endsWith('0')) {
    const isRead = reading.formats.includes('unix-seconds') && Number(whole) < 4_102_444_800 && whole >= '1';
    return isRead ? held(`${whole}${fraction.padEnd(3, '0').slice(0, 3)}`) : rejected('type');
  }
  if (!/^\d+$/.test(text) || !(isNumber || reading.readsDigitsInText === true)) return rejected('type');
  const count = BigInt(text);
  for (const [format, perSecond] of EPOCH_FORMATS) {
    const isOfUs = count >= 946_684_800n * perSecond && count < 4_102_444_800n * perSecond;
    if (reading.formats.includes(format) && isOfUs) return held(String((count * 1000n) / perSecond));
  }
  return rejected('type');
}

/** The counts since 1970, with how many of them are a second. */
export const EPOCH_FORMATS = [
  ['unix-seconds', 1n],
  ['unix-milliseconds', 1000n],
  ['unix-microseconds', 1_000_000n],
  ['unix-nanoseconds', 1_000_000_000n],
] as const;
