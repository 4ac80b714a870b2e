import { fault } from './fault.ts';

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
