import { hashText } from '../dice.ts';
import type { JsonObject } from '../json.ts';
import { firstPiece, jsonAnswer, textAnswer } from '../profiles/answer.ts';
import { arrayListing, type Listing } from '../world/listing.ts';
import { type Fault, pause } from './fault.ts';

const ofParents: Pick<Fault, 'isOfParents' | 'about'> = {
  isOfParents: true,
  about: ({ route }) => route?.parent !== undefined,
};
const ofListingsOfParents: Pick<Fault, 'rate' | 'about'> = {
  rate: 1,
  about: ({ route }) => route?.resource === 'players' || route?.resource === 'backup_storages',
};

/** The faults that answer in place of the listing, or late. */
const ANSWERS: readonly Fault[] = [
  {
    name: '500',
    summary: '500 with a stack trace in the body',
    rate: 0.05,
    answer: ({ kind, error }) =>
      kind === 'backup'
        ? error(500, 'server_error', 'Server error')
        : jsonAnswer(500, {
            Message: 'An error has occurred.',
            ExceptionMessage: 'Timeout expired.',
            ExceptionType: 'System.Data.SqlClient.SqlException',
            StackTrace: '   at System.Data.SqlClient.SqlConnection.OnError(SqlException exception)',
          }),
  },
  {
    name: '429',
    summary: '429, with seconds, a date or nothing in Retry-After',
    answer: ({ target, attempt, error }) => {
      const answer = error(429, 'too_many_requests', 'Too many requests');
      // An HTTP date has whole seconds, so two seconds ahead are at least one.
      const afters = ['1', new Date(Date.now() + 2000).toUTCString(), undefined];
      const after = afters[hashText(0, target, attempt) % afters.length];
      return { ...answer, headers: { ...answer.headers, ...(after && { 'retry-after': after }) } };
    },
  },
  {
    name: 'gone',
    summary: 'the children of some parents, always the same ones, answer 404',
    ...ofParents,
    answer: ({ parentUnknown }) => parentUnknown(),
  },
  {
    name: 'denied',
    summary: 'the children of some parents, always the same ones, answer 403',
    rate: 0.01,
    ...ofParents,
    answer: ({ error }) => error(403, 'forbidden', 'Access to this resource is denied.'),
  },
  {
    name: 'denied-all',
    summary: '401 for everything, whatever the key',
    rate: 1,
    answer: ({ error }) => error(401, 'not_authorized', 'Authorization has been denied for this request.'),
  },
  {
    name: 'rotate',
    summary: 'the key changes, once for each API, and the old one is refused; @from=N: at the Nth request',
    rate: 1,
    answer: ({ rotateKey }) => {
      rotateKey();
      return undefined;
    },
  },
  {
    name: 'echo',
    summary: 'an error whose body repeats the key that was sent; @status=N',
    keys: { status: 500 },
    answer: ({ request: { headers }, error }, { status }) => {
      const key = headers['x-apikey'] ?? headers['x-session-id'] ?? headers.authorization ?? 'none';
      return error(status, 'error', `Failed for the credentials '${key}'.`);
    },
  },
  {
    name: 'redirect',
    summary: 'a redirect to another origin, which records the headers it gets',
    answer: async ({ target, secondOrigin }) => ({
      status: 302,
      headers: { location: (await secondOrigin()) + target, 'content-type': 'text/html' },
      body: '<a href="">Object moved</a>',
    }),
  },
  {
    name: 'html200',
    summary: '200 with the HTML of a login page',
    answer: () => textAnswer(LOGIN_PAGE, { 'content-type': 'text/html; charset=utf-8' }),
  },
  {
    name: 'down',
    summary: 'no request works until the faults are set again; @from=N: from the Nth request on',
    rate: 1,
    about: () => true,
    answer: () => ({
      status: 503,
      headers: { 'content-type': 'text/html' },
      body: '<html><head><title>503 Service Unavailable</title></head><body></body></html>',
    }),
  },
  {
    name: 'slow',
    summary: 'the answer comes late; @ms=N',
    rate: 0.05,
    keys: { ms: 2000 },
    answer: async (_, { ms }) => {
      await pause(ms);
      return undefined;
    },
  },
];

const LOGIN_PAGE =
  '<!DOCTYPE html><html><head><title>Sign in</title></head><body><form action="/login">…</form></body></html>';

/** The faults that change a listing or its links. */
const LISTINGS: readonly Fault[] = [
  {
    name: 'moving',
    summary: 'after the first page, the first record moves to the end: the one in its place is on no page',
    ...ofListingsOfParents,
    listing: (listing) => ({
      ...listing,
      page: (offset, limit) => (offset === 0 ? listing.page(0, limit) : later(listing, offset, limit)),
    }),
  },
  {
    name: 'empty',
    summary: '200 with an empty listing',
    ...ofListingsOfParents,
    listing: (listing) => arrayListing(listing, []),
  },
  {
    name: 'halved',
    summary: '200 with the first half of the listing, and a total that agrees with it',
    ...ofListingsOfParents,
    listing: (listing) => {
      const count = Math.floor(listing.count / 2);
      const page: Listing['page'] = (offset, limit) => listing.page(offset, Math.min(limit, count - offset));
      return { ...listing, count, page };
    },
  },
  {
    name: 'next-link',
    summary: 'the links to further pages lead to another origin, which records the headers it gets',
    rate: 1,
    linkOrigin: ({ secondOrigin }) => secondOrigin(),
  },
];

function* later(listing: Listing, offset: number, limit: number): Iterable<JsonObject> {
  yield* listing.page(offset + 1, limit);
  const last = offset + limit >= listing.count && offset < listing.count;
  if (last) yield* listing.page(0, 1);
}

/** The faults of a connection that breaks. */
const SENDING: readonly Fault[] = [
  {
    name: 'reset',
    summary: 'the connection is reset before the first byte',
    send: ({ response }) => void response.socket?.resetAndDestroy(),
  },
  {
    name: 'truncate',
    summary: 'the connection breaks in the middle of the body',
    send: async ({ response }, answer) => {
      const bytes = Buffer.from(firstPiece(answer.body));
      response.writeHead(answer.status, { ...answer.headers, 'content-length': bytes.length });
      const half = bytes.subarray(0, Math.floor(bytes.length / 2));
      await new Promise<void>((resolve) => response.write(half.length === 0 ? ' ' : half, () => resolve()));
      response.destroy();
    },
  },
];

/** Every fault by its name in a spec. */
export const FAULTS: ReadonlyMap<string, Fault> = new Map(
  [...ANSWERS, ...LISTINGS, ...SENDING].map((each) => [each.name, each]),
);
