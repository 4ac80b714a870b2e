import { hashText } from '../dice.ts';
import { fault } from './fault.ts';

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
