import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Dice } from '#simulator/dice.ts';
import { SPELLINGS } from './secret-spellings.ts';

/** An answer that was made hostile; what its server does with the connection as well. */
export interface HostileAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Breaks off behind so many bytes. */
  readonly cutAt?: number;
  /** Comes in pieces of so many bytes, with a pause between. */
  readonly pieceBytes?: number;
}

/** True in one of `n` cases. */
const once = (dice: Dice, n: number) => dice.below(n) === 0;

const SAMPLES = new URL('../fixtures/samples/', import.meta.url);
/** Recorded answers, and what the simulator's APIs and their envelopes look like. */
const BASES: readonly unknown[] = [
  ...readdirSync(SAMPLES).flatMap((name) => (name.endsWith('.json') ? [sample(name)] : [])),
  [],
  [{ Id: 1, Name: 'one', State: 'on', LastStatusChange: '2026-11-20T03:00:00Z' }],
  { data: [{ Id: 1 }, { Id: 2 }], total: 2, page: 1, pageSize: 100 },
  { d: { results: [{ Id: 1 }], __count: '1' } },
  { value: [{ Id: 1 }], '@odata.nextLink': '/gv2/webservices/API/v1.12/Players?page=2' },
  { a: { Id: 1, Name: 'x' }, b: { Id: 2, Name: 'y' } },
  { result: 'success', data: { items: [{ Id: 1 }], cursor: 'abc' } },
];

function sample(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, SAMPLES), 'utf8'));
}

const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '$key', ''];
const MEMBERS = [
  ...INHERITED,
  ...'next total cursor hasMore error message success status result page Id id ID a.b'.split(' '),
  ...['\u0000', '\ud800', '💥', '"', "'; drop table players; --", '_'.repeat(5000), 'aB'.repeat(3000)],
];

/** Tokens as they are written: JSON has no values for some. */
const TOKENS: readonly string[] = [
  ...'null true nulx NaN Infinity -0 01 1e400 1e-400 9007199254740993'.split(' '),
  `1.${'0'.repeat(5000)}1`,
  '9'.repeat(3000),
  ...['""', '"\\ud800"', '"\\x"', '"\\u00"', '"0001-01-01T00:00:00Z"', '"/Date(99999999999999999)/"'],
  ...['"99.99.9999 99:99:99"', `"${' '.repeat(9000)}"`],
  `"${'\\\\'.repeat(5000)}"`,
  ...'[] {} [[]] [null] [1,"a",{}] {"":{"":{"":1}}} {"a":1,"a":2,"A":3}'.split(' '),
  `${'['.repeat(500)}${']'.repeat(500)}`,
  `${'{"a":'.repeat(80)}1${'}'.repeat(80)}`,
  `{${Array.from({ length: 1500 }, (_, index) => `"m${index}":${index}`).join(',')}}`,
  `[${'{},'.repeat(2000)}{}]`,
];

/** A body, headers, status, encoding and timing by chance; `secret` is spelled into some. */
export function hostileAnswer(dice: Dice, secret: string): HostileAnswer {
  let text = written(dice.pick(BASES), { dice, secret, rate: dice.pick([4, 12, 40, 200]) });
  if (once(dice, 12)) text = damaged(text, dice);
  if (once(dice, 40)) text = text.repeat(1 + dice.below(4));
  if (once(dice, 60)) text = `${text.slice(0, 1)}${' '.repeat(70_000)}${text.slice(1)}`;
  const { headers, body } = encoded(Buffer.from(text), dice);
  return {
    status: once(dice, 5) ? dice.pick(STATUSES) : 200,
    headers: { ...headers, ...(once(dice, 3) && headersOf(dice, secret)) },
    body,
    ...(once(dice, 25) && { cutAt: dice.below(body.length + 1) }),
    ...(once(dice, 25) && { pieceBytes: 1 + dice.below(2000) }),
  };
}

const STATUSES = [
  201, 202, 204, 205, 206, 226, 299, 301, 302, 304, 307, 400, 401, 403, 404, 405, 406, 408, 409, 410, 418,
  422, 425, 429, 451, 500, 501, 502, 503, 504, 511, 599,
];

interface Writing {
  readonly dice: Dice;
  readonly secret: string;
  /** One of so many values is made hostile. */
  readonly rate: number;
}

function written(value: unknown, writing: Writing): string {
  const { dice, secret, rate } = writing;
  if (once(dice, rate)) return once(dice, 6) ? spelledIn(secret, dice) : dice.pick(TOKENS);
  if (Array.isArray(value)) {
    const items = value.map((item) => written(item, writing));
    if (once(dice, rate)) items.push(...items.slice(0, 3));
    return once(dice, rate)
      ? `{${items.map((item, index) => `"${index}":${item}`).join(',')}}`
      : `[${items.join(once(dice, rate) ? ',,' : ',')}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => {
    const written_ = once(dice, rate) ? dice.pick(MEMBERS) : name;
    return `${once(dice, rate * 4) ? spelledIn(secret, dice) : JSON.stringify(written_)}:${written(member, writing)}`;
  });
  if (once(dice, rate)) members.push(`${JSON.stringify(dice.pick(MEMBERS))}:${dice.pick(TOKENS)}`);
  return `{${members.join(',')}}`;
}

function spelledIn(secret: string, dice: Dice): string {
  const spell = dice.pick(Object.values(SPELLINGS));
  return `"${'x'.repeat(dice.below(3))}${spell(secret)}"`;
}

function damaged(text: string, dice: Dice): string {
  const at = dice.below(text.length + 1);
  const junk = dice.pick(['\uFEFF', '\u0000', '<html>', ',', '}', ']', '"', '\\', '{"', 'nulx', '\u2028']);
  return dice.pick([text.slice(0, at), text.slice(at), `${text.slice(0, at)}${junk}${text.slice(at)}`]);
}

function encoded(bytes: Buffer, dice: Dice) {
  const json = 'application/json';
  if (!once(dice, 6)) return { headers: { 'content-type': json }, body: bytes };
  const as = (encoding: string, body = bytes, type = json) => ({
    ...{ headers: { 'content-type': type, ...(encoding !== '' && { 'content-encoding': encoding }) }, body },
  });
  return dice.pick([
    () => as('gzip', gzipSync(bytes)),
    () => as('deflate', deflateSync(bytes)),
    () => as('br', brotliCompressSync(bytes)),
    () => as(dice.pick(['gzip', 'br', 'zstd', 'deflate', ...INHERITED.slice(0, 4)])),
    () => as('gzip', gzipSync(bytes).subarray(0, -dice.below(12) || undefined)),
    () => as('gzip', gzipSync(Buffer.alloc(4_000_000, 0x20))),
    () => as('', Buffer.from(bytes.toString(), 'utf16le'), `${json}; charset=utf-16le`),
    () => as('', bytes, `${json}; charset=utf-16le`),
    () => as('', bytes, `${json};${' '.repeat(4000)}charset`),
    () => as('', Buffer.concat([bytes, Buffer.from([0xff, 0xfe, 0xc0])]), 'text/html'),
  ])();
}

const RETRY = [...'0 99999 -1 soon 1e9'.split(' '), 'Fri, 20 Nov 2026 00:00:00 GMT', ' '.repeat(4000)];
const PAGES = ['{"next":1}', '{"a":'.repeat(600), '{}', '{"__proto__":{"next":true}}'];

function headersOf(dice: Dice, secret: string): Record<string, string> {
  const places = [
    '/elsewhere',
    'https://evil.example.com/',
    '//evil.example.com',
    `/?key=${encodeURIComponent(secret)}`,
  ];
  return dice.pick<() => Record<string, string>>([
    () => ({ link: `<${' '.repeat(4000)}>;rel="next"` }),
    () => ({ link: '</gv2/webservices/API/v1.12/Players?page=2>; rel=next' }),
    () => ({ link: '<https://evil.example.com/>; rel=next' }),
    () => ({ 'retry-after': dice.pick(RETRY) }),
    () => ({ location: dice.pick(places) }),
    () => ({ warning: dice.pick(['199 - "partial"', '', 'x'.repeat(4000)]) }),
    () => ({ 'x-total-count': dice.pick(['1', '-1', '99999999999999999999', '1,000', 'x']) }),
    () => ({ 'x-pagination': dice.pick(PAGES) }),
    () => ({ 'content-range': dice.pick(['items 0-9/10', '/'.repeat(4000), 'items 0-9/*']) }),
    () => ({ [dice.pick(['__proto__', 'constructor', 'x-next', 'x-key'])]: encodeURIComponent(secret) }),
  ])();
}

/** Sends such an answer. */
export async function sendHostile(response: ServerResponse, answer: HostileAnswer): Promise<void> {
  const { status, headers, body, cutAt, pieceBytes } = answer;
  response.writeHead(status, headers);
  const sent = body.subarray(0, cutAt ?? body.length);
  const step = Math.max(pieceBytes ?? sent.length, Math.ceil(sent.length / 20), 1);
  for (let at = 0; at < sent.length; at += step) {
    response.write(sent.subarray(at, at + step));
    if (pieceBytes !== undefined) await delay(1);
  }
  if (cutAt === undefined) response.end();
  else response.destroy();
}
