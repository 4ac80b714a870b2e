import { fault } from './fault.ts';

export const reset = fault({
  name: 'reset',
  summary: 'the connection is reset before the first byte',
  rate: 0.02,
  create: () => ({
    send: ({ response }) => {
      response.socket?.resetAndDestroy();
    },
  }),
});
