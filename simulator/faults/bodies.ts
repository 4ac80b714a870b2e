import type { JsonObject } from '../json.ts';
import { type AnswerBody, firstPiece, jsonAnswer, piecesOf, textAnswer } from '../profiles/answer.ts';
import { arrayListing, type Listing } from '../world/listing.ts';
import { type Fault, listsParents, NO_LISTINGS } from './fault.ts';

/** The faults that change a listing, the true answer, or how it is sent. */
export const BODIES: readonly Fault[] = [
  {
    name: 'cut-json',
    summary: 'whole HTTP, but the JSON in it ends too early',
    rate: 0.02,
    change: (answer) => ({ ...answer, body: cut(answer.body) }),
  },
  {
    name: 'html200',
    summary: '200 with the HTML of a login page',
    rate: 0.02,
    change: () => textAnswer(LOGIN_PAGE, { 'content-type': 'text/html; charset=utf-8' }),
  },
  {
    name: 'error200',
    summary: '200 with an error in the body, in the form of the API',
    rate: 0.02,
    change: (_, { kind }) => jsonAnswer(200, ERRORS[kind]),
  },
  {
    name: 'wrong-shape',
    summary: '200 with JSON that is no listing; @shape=object|message|number|text|null|numbers',
    rate: 0.02,
    keys: { shape: 'object' },
    change: (_, __, { shape }) => jsonAnswer(200, NO_LISTINGS[shape]),
  },
  {
    name: 'wrong-content-type',
    summary: 'the true JSON as text/html',
    rate: 1,
    change: (answer) => ({ ...answer, headers: { ...answer.headers, 'content-type': 'text/html' } }),
  },
  {
    name: 'big-body',
    summary: 'the true JSON behind megabytes of blanks; @mb=N',
    rate: 0.01,
    keys: { mb: 64 },
    change: (answer, _, { mb }) => ({ ...answer, body: padded(mb, answer.body) }),
  },
  {
    name: 'next-link',
    summary: 'the links to further pages lead to another origin, which records the headers it gets',
    rate: 1,
    linkOrigin: ({ secondOrigin }) => secondOrigin(),
  },
  {
    name: 'moving',
    summary:
      'after the first page, the first record moves to the end, so that no page has the record that takes its place',
    rate: 1,
    about: listsParents,
    listing: (listing) => ({
      ...listing,
      page: (offset, limit) => (offset === 0 ? listing.page(0, limit) : later(listing, offset, limit)),
    }),
  },
  {
    name: 'empty',
    summary: '200 with an empty listing',
    rate: 1,
    about: listsParents,
    listing: (listing) => arrayListing(listing, []),
  },
  {
    name: 'halved',
    summary: '200 with the first half of the listing, and a total that agrees with it',
    rate: 1,
    about: listsParents,
    listing: (listing) => {
      const count = Math.floor(listing.count / 2);
      const page: Listing['page'] = (offset, limit) => listing.page(offset, Math.min(limit, count - offset));
      return { ...listing, count, page };
    },
  },
  {
    name: 'reset',
    summary: 'the connection is reset before the first byte',
    rate: 0.02,
    send: ({ response }) => void response.socket?.resetAndDestroy(),
  },
  {
    name: 'truncate',
    summary: 'the connection breaks in the middle of the body',
    rate: 0.02,
    send: async ({ response }, answer) => {
      const bytes = Buffer.from(firstPiece(answer.body));
      response.writeHead(answer.status, { ...answer.headers, 'content-length': bytes.length });
      const half = bytes.subarray(0, Math.floor(bytes.length / 2));
      await new Promise<void>((resolve) => response.write(half.length === 0 ? ' ' : half, () => resolve()));
      response.destroy();
    },
  },
];

function cut(body: AnswerBody): AnswerBody {
  const text = firstPiece(body).toString();
  return text.slice(0, Math.max(1, Math.floor(text.length * 0.6)));
}

const LOGIN_PAGE =
  '<!DOCTYPE html><html><head><title>Sign in</title></head><body><form action="/login">…</form></body></html>';

const ERRORS = {
  backup: { result: 'error', error: { code: 'server_error', description: 'Try again later' } },
  signage: { HasError: true, Message: 'The operation could not be completed.' },
};

const MEGABYTE = ' '.repeat(1_000_000);

function* padded(megabytes: number, body: AnswerBody): Iterable<string | Buffer> {
  for (let i = 0; i < megabytes; i++) yield MEGABYTE;
  yield* piecesOf(body);
}

function* later(listing: Listing, offset: number, limit: number): Iterable<JsonObject> {
  yield* listing.page(offset + 1, limit);
  const last = offset + limit >= listing.count && offset < listing.count;
  if (last) yield* listing.page(0, 1);
}
