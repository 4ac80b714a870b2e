import { hashText } from '../dice.ts';
import { type Answer, jsonAnswer } from '../profiles/answer.ts';
import { type Fault, fault, hasParent } from './fault.ts';

/** The faults that answer in place of the listing. */
export const REFUSALS: readonly Fault[] = [
  fault({
    name: '500',
    summary: '500 with a stack trace in the body',
    rate: 0.05,
    answer:
      () =>
      ({ kind, error }) =>
        kind === 'backup'
          ? error(500, 'server_error', 'Server error')
          : jsonAnswer(500, {
              Message: 'An error has occurred.',
              ExceptionMessage: 'Timeout expired.',
              ExceptionType: 'System.Data.SqlClient.SqlException',
              StackTrace: '   at System.Data.SqlClient.SqlConnection.OnError(SqlException exception)',
            }),
  }),
  fault({
    name: '503',
    summary: '503 with an HTML page, for bursts of requests in a row; @burst=N',
    rate: 0.02,
    decidedBy: 'burst',
    keys: { burst: 20 },
    answer: () => () => UNAVAILABLE,
  }),
  fault({
    name: '429',
    summary: '429; @after=SECONDS|date|none|mixed (Retry-After), @limit=N: only above N calls in a second',
    rate: 0.02,
    keys: { after: 'mixed', limit: 0 },
    answer: ({ after, limit }) => {
      const counted = callsInLastSecond();
      return ({ target, attempt, error }) => {
        if (counted() <= limit) return undefined;
        const answer = error(429, 'too_many_requests', 'Too many requests');
        const headers = { ...answer.headers, ...retryAfter(after, hashText(0, target, attempt)) };
        return { ...answer, headers };
      };
    },
  }),
  fault({
    name: 'gone',
    summary: 'the children of some parents, always the same ones, answer 404',
    rate: 0.02,
    about: hasParent,
    decidedBy: 'parent',
    answer:
      () =>
      ({ parentUnknown }) =>
        parentUnknown(),
  }),
  fault({
    name: 'denied',
    summary: 'the children of some parents, always the same ones, answer 403',
    rate: 0.01,
    about: hasParent,
    decidedBy: 'parent',
    answer:
      () =>
      ({ error }) =>
        error(403, 'forbidden', 'Access to this resource is denied.'),
  }),
  fault({
    name: 'denied-all',
    summary: '401 for everything, whatever the key',
    rate: 1,
    answer:
      () =>
      ({ error }) =>
        error(401, 'not_authorized', 'Authorization has been denied for this request.'),
  }),
  fault({
    name: 'rotate',
    summary: 'the key changes, once for each API, and the old one is refused; @from=N: at the Nth request',
    rate: 1,
    answer: (_, { rotateKey }) => {
      const done = new Set<string>();
      return ({ kind }) => {
        if (!done.has(kind)) rotateKey(kind);
        done.add(kind);
        return undefined;
      };
    },
  }),
  fault({
    name: 'echo',
    summary: 'an error whose body repeats the key that was sent; @status=N',
    rate: 0.02,
    keys: { status: 500 },
    answer:
      ({ status }) =>
      ({ request: { headers }, error }) => {
        const key = headers['x-apikey'] ?? headers['x-session-id'] ?? headers.authorization ?? 'none';
        return error(status, 'error', `Failed for the credentials '${key}'.`);
      },
  }),
  fault({
    name: 'redirect',
    summary: 'a redirect to another origin, which records the headers it gets; @status=N, @to=second|own',
    rate: 0.02,
    keys: { status: 302, to: ['second', 'own'] },
    answer:
      ({ status, to }, { secondOrigin }) =>
      async ({ target }) => {
        const followed = target.includes('redirected=1');
        if (to === 'own' && followed) return undefined;
        const location =
          to === 'own'
            ? `${target}${target.includes('?') ? '&' : '?'}redirected=1`
            : (await secondOrigin()) + target;
        return {
          status,
          headers: { location, 'content-type': 'text/html' },
          body: '<a href="">Object moved</a>',
        };
      },
  }),
  fault({
    name: 'down',
    summary:
      'no request works until the faults are set again; @from=N: from the Nth request on, @how=503|refuse',
    rate: 1,
    about: () => true,
    keys: { how: ['503', 'refuse'] },
    answer:
      ({ how }, { refuseConnections }) =>
      () => {
        if (how === 'refuse') refuseConnections();
        return UNAVAILABLE;
      },
  }),
];

const UNAVAILABLE: Answer = {
  status: 503,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>503 Service Unavailable</title></head><body></body></html>',
};

function retryAfter(after: string, draw: number): Record<string, string> {
  if (after === 'none') return {};
  if (after === 'mixed') return retryAfter(['1', 'date', 'none'][draw % 3] ?? 'none', draw);
  // An HTTP date has whole seconds, so two seconds ahead are at least one.
  if (after === 'date') return { 'retry-after': new Date(Date.now() + 2000).toUTCString() };
  return { 'retry-after': after };
}

function callsInLastSecond(): () => number {
  const times: number[] = [];
  return () => {
    const now = performance.now();
    times.push(now);
    while ((times[0] ?? now) < now - 1000) times.shift();
    return times.length;
  };
}
