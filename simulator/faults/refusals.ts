import { hashText } from '../dice.ts';
import { jsonAnswer } from '../profiles/answer.ts';
import { fault, hasParent } from './fault.ts';

export const internalError = fault({
  name: '500',
  summary: '500 with a stack trace in the body',
  rate: 0.05,
  create: () => ({
    answer: ({ kind, error }) =>
      kind === 'backup'
        ? error(500, 'server_error', 'Server error')
        : jsonAnswer(500, {
            Message: 'An error has occurred.',
            ExceptionMessage: 'Timeout expired.',
            ExceptionType: 'System.Data.SqlClient.SqlException',
            StackTrace: '   at System.Data.SqlClient.SqlConnection.OnError(SqlException exception)',
          }),
  }),
});

const UNAVAILABLE =
  '<html><head><title>503 Service Unavailable</title></head><body><h1>Service Unavailable</h1></body></html>';

export const unavailable = fault({
  name: '503',
  summary: '503 with an HTML page, for bursts of requests in a row; @burst=N',
  rate: 0.02,
  decidedBy: 'burst',
  keys: { burst: 20 },
  create: () => ({
    answer: () => ({ status: 503, headers: { 'content-type': 'text/html' }, body: UNAVAILABLE }),
  }),
});

export const tooManyRequests = fault({
  name: '429',
  summary: '429; @after=SECONDS|date|none|mixed (Retry-After), @limit=N: only above N calls in a second',
  rate: 0.02,
  keys: { after: 'mixed', limit: 0 },
  create: ({ after, limit }) => {
    const counted = limit > 0 ? callsInLastSecond() : undefined;
    return {
      answer: ({ target, attempt, error }) => {
        if (counted !== undefined && counted() <= limit) return undefined;
        const answer = error(429, 'too_many_requests', 'Too many requests');
        return {
          ...answer,
          headers: { ...answer.headers, ...retryAfter(after, hashText(0, target, attempt)) },
        };
      },
    };
  },
});

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

export const gone = fault({
  name: 'gone',
  summary: 'the children of some parents, always the same ones, answer 404',
  rate: 0.02,
  about: hasParent,
  decidedBy: 'parent',
  create: () => ({
    answer: ({ parentUnknown }) => parentUnknown(),
  }),
});

export const denied = fault({
  name: 'denied',
  summary: 'the children of some parents, always the same ones, answer 403',
  rate: 0.01,
  about: hasParent,
  decidedBy: 'parent',
  create: () => ({
    answer: ({ error }) => error(403, 'forbidden', 'Access to this resource is denied.'),
  }),
});

export const deniedAll = fault({
  name: 'denied-all',
  summary: '401 for everything, whatever the key',
  rate: 1,
  create: () => ({
    answer: ({ error }) => error(401, 'not_authorized', 'Authorization has been denied for this request.'),
  }),
});

export const rotate = fault({
  name: 'rotate',
  summary: 'the key changes, once for each API, and the old one is refused; @from=N: at the Nth request',
  rate: 1,
  create: (_, { rotateKey }) => {
    const done = new Set<string>();
    return {
      answer: ({ kind }) => {
        if (!done.has(kind)) rotateKey(kind);
        done.add(kind);
        return undefined;
      },
    };
  },
});

export const echo = fault({
  name: 'echo',
  summary: 'an error whose body repeats the key that was sent; @status=N',
  rate: 0.02,
  keys: { status: 500 },
  create: ({ status }) => ({
    answer: ({ request: { headers }, error }) => {
      const key = headers['x-apikey'] ?? headers['x-session-id'] ?? headers.authorization ?? 'none';
      return error(status, 'error', `Failed for the credentials '${key}'.`);
    },
  }),
});

export const redirect = fault({
  name: 'redirect',
  summary: 'a redirect to another origin, which records the headers it gets; @status=N, @to=second|own',
  rate: 0.02,
  keys: { status: 302, to: ['second', 'own'] },
  create: ({ status, to }, { secondOrigin }) => ({
    answer: async ({ target }) => {
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
});

export const down = fault({
  name: 'down',
  summary:
    'no request works until the faults are set again; @from=N: from the Nth request on, @how=503|refuse',
  rate: 1,
  about: () => true,
  keys: { how: ['503', 'refuse'] },
  create: ({ how }, { refuseConnections }) => ({
    answer: () => {
      if (how === 'refuse') refuseConnections();
      return { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>Service Unavailable</h1>' };
    },
  }),
});
