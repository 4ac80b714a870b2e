import { hashText } from '../dice.ts';
import { type Answer, jsonAnswer } from '../profiles/answer.ts';
import { type Fault, hasParent, pause } from './fault.ts';

/** The faults that answer in place of the listing, or late. */
export const REFUSALS: readonly Fault[] = [
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
    name: '503',
    summary: '503 with an HTML page, for bursts of requests in a row',
    rate: 0.02,
    decidedBy: 'burst',
    answer: () => UNAVAILABLE,
  },
  {
    name: '429',
    summary: '429, with seconds, a date or nothing in Retry-After',
    rate: 0.02,
    answer: ({ target, attempt, error }) => {
      const answer = error(429, 'too_many_requests', 'Too many requests');
      // An HTTP date has whole seconds, so two seconds ahead are at least one.
      const afters = ['1', new Date(Date.now() + 2000).toUTCString(), undefined];
      const after = afters[hashText(0, target, attempt) % afters.length];
      return after === undefined
        ? answer
        : { ...answer, headers: { ...answer.headers, 'retry-after': after } };
    },
  },
  {
    name: 'gone',
    summary: 'the children of some parents, always the same ones, answer 404',
    rate: 0.02,
    about: hasParent,
    decidedBy: 'parent',
    answer: ({ parentUnknown }) => parentUnknown(),
  },
  {
    name: 'denied',
    summary: 'the children of some parents, always the same ones, answer 403',
    rate: 0.01,
    about: hasParent,
    decidedBy: 'parent',
    answer: ({ error }) => error(403, 'forbidden', 'Access to this resource is denied.'),
  },
  {
    name: 'denied-all',
    summary: '401 for everything, whatever the key',
    rate: 1,
    answer: ({ error }) => error(401, 'not_authorized', 'Authorization has been denied for this request.'),
  },
  {
    name: 'not-enabled',
    summary: '403 of a signage API that was never enabled',
    rate: 1,
    about: ({ kind }) => kind === 'signage',
    answer: ({ error }) => error(403, 'forbidden', 'API access is not enabled for this installation.'),
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
    rate: 0.02,
    keys: { status: 500 },
    answer: ({ request: { headers }, error }, { status }) => {
      const key = headers['x-apikey'] ?? headers['x-session-id'] ?? headers.authorization ?? 'none';
      return error(status, 'error', `Failed for the credentials '${key}'.`);
    },
  },
  {
    name: 'redirect',
    summary: 'a redirect to another origin, which records the headers it gets',
    rate: 0.02,
    answer: async ({ target, secondOrigin }) => ({
      status: 302,
      headers: { location: (await secondOrigin()) + target, 'content-type': 'text/html' },
      body: '<a href="">Object moved</a>',
    }),
  },
  {
    name: 'down',
    summary: 'no request works until the faults are set again; @from=N: from the Nth request on',
    rate: 1,
    about: () => true,
    answer: () => UNAVAILABLE,
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

const UNAVAILABLE: Answer = {
  status: 503,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>503 Service Unavailable</title></head><body></body></html>',
};
