import { HOUR_MS } from '#lib/time.ts';
import type { JsonObject } from '../json.ts';
import { type AnswerBody, firstPiece, jsonAnswer, piecesOf } from '../profiles/answer.ts';
import { arrayListing, type Listing } from '../world/listing.ts';
import { type Fault, fault, listsParents } from './fault.ts';

/** The faults that change a listing, or the true answer. */
export const BODIES: readonly Fault[] = [
  fault({
    name: 'cut-json',
    summary: 'whole HTTP, but the JSON in it ends too early',
    rate: 0.02,
    change: () => (answer) => ({ ...answer, body: cut(answer.body) }),
  }),
  fault({
    name: 'html200',
    summary: '200 with the HTML of a login page',
    rate: 0.02,
    change: () => () => ({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: LOGIN_PAGE,
    }),
  }),
  fault({
    name: 'error200',
    summary: '200 with an error in the body; @body=result|bare|asynchronous|flag|own (the form of the API)',
    rate: 0.02,
    keys: { body: ['own', 'result', 'bare', 'asynchronous', 'flag'] },
    change:
      ({ body }) =>
      (_, { kind }) => {
        const own = kind === 'backup' ? 'result' : 'flag';
        return jsonAnswer(200, ERRORS[body === 'own' ? own : body]);
      },
  }),
  fault({
    name: 'wrong-shape',
    summary: '200 with JSON that is no listing; @shape=object|message|number|text|null|numbers',
    rate: 0.02,
    keys: { shape: ['object', 'message', 'number', 'text', 'null', 'numbers'] },
    change:
      ({ shape }) =>
      () =>
        jsonAnswer(200, NO_LISTINGS[shape]),
  }),
  fault({
    name: 'wrong-content-type',
    summary: 'the true JSON under another content type; @type=T',
    rate: 1,
    keys: { type: 'text/html' },
    change:
      ({ type }) =>
      (answer) => ({ ...answer, headers: { ...answer.headers, 'content-type': type } }),
  }),
  fault({
    name: 'big-body',
    summary: 'the true JSON behind megabytes of blanks; @mb=N',
    rate: 0.01,
    keys: { mb: 64 },
    change:
      ({ mb }) =>
      (answer) => ({ ...answer, body: padded(mb, answer.body) }),
  }),
  fault({
    name: 'next-link',
    summary: 'the links to further pages lead to another origin, which records the headers it gets',
    rate: 1,
    linkOrigin: (_, { secondOrigin }) => secondOrigin,
  }),
  fault({
    name: 'clock-skew',
    summary: 'the Date header is off; @hours=N',
    rate: 1,
    keys: { hours: -5 },
    change:
      ({ hours }) =>
      (answer) => {
        const date = new Date(Date.now() + hours * HOUR_MS).toUTCString();
        return { ...answer, headers: { ...answer.headers, date } };
      },
  }),
  fault({
    name: 'moving',
    summary:
      'after the first page, the first record moves to the end, so that no page has the record that takes its place',
    rate: 1,
    about: listsParents,
    listing: () => moved,
  }),
  fault({
    name: 'empty',
    summary: '200 with an empty listing',
    rate: 1,
    about: listsParents,
    listing: () => (listing) => arrayListing(listing, []),
  }),
  fault({
    name: 'halved',
    summary: '200 with the first half of the listing, and a total that agrees with it',
    rate: 1,
    about: listsParents,
    listing: () => (listing) => {
      const count = Math.floor(listing.count / 2);
      return {
        ...listing,
        count,
        page: (offset, limit) => listing.page(offset, Math.min(limit, count - offset)),
      };
    },
  }),
];

function cut(body: AnswerBody): AnswerBody {
  const text = firstPiece(body).toString();
  return text.slice(0, Math.max(1, Math.floor(text.length * 0.6)));
}

const LOGIN_PAGE =
  '<!DOCTYPE html><html><head><title>Sign in</title></head><body><form action="/login">…</form></body></html>';

const ERRORS = {
  result: { result: 'error', error: { code: 'server_error', description: 'Try again later' } },
  bare: { result: 'error' },
  asynchronous: { result: 'asynchronous', data: 4711 },
  flag: { HasError: true, Message: 'The operation could not be completed.' },
};

const NO_LISTINGS = {
  object: { Version: '1.12', State: 'Running', Server: { Name: 'web-3', Uptime: 86_400 } },
  message: { Message: 'OK' },
  number: 42,
  text: 'OK',
  null: null,
  numbers: [1, 2, 3],
};

const MEGABYTE = ' '.repeat(1_000_000);

function* padded(megabytes: number, body: AnswerBody): Iterable<string | Buffer> {
  for (let i = 0; i < megabytes; i++) yield MEGABYTE;
  yield* piecesOf(body);
}

function moved(listing: Listing): Listing {
  return {
    ...listing,
    page: (offset, limit) => (offset === 0 ? listing.page(0, limit) : later(listing, offset, limit)),
  };
}

function* later(listing: Listing, offset: number, limit: number): Iterable<JsonObject> {
  yield* listing.page(offset + 1, limit);
  const last = offset + limit >= listing.count && offset < listing.count;
  if (last) yield* listing.page(0, 1);
}
