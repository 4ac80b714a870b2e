import { fault, pause } from './fault.ts';

export const drip = fault({
  name: 'drip',
  summary: 'the body comes byte by byte; @ms=N between two',
  rate: 0.01,
  keys: { ms: 1000 },
  create: ({ ms }) => ({
    send: async ({ response }, answer) => {
      response.writeHead(answer.status, { ...answer.headers });
      const pieces =
        typeof answer.body === 'string' || Buffer.isBuffer(answer.body) ? [answer.body] : answer.body;
      for (const piece of pieces) {
        for (const byte of Buffer.from(piece)) {
          response.write(Buffer.of(byte));
          await pause(ms);
          if (response.destroyed) return;
        }
      }
      response.end();
    },
  }),
});
