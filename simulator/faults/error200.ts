import { jsonAnswer } from '../profiles/answer.ts';
import { fault } from './fault.ts';

const BODIES = {
  result: { result: 'error', error: { code: 'server_error', description: 'Try again later' } },
  bare: { result: 'error' },
  asynchronous: { result: 'asynchronous', data: 4711 },
  flag: { HasError: true, Message: 'The operation could not be completed.' },
};

export const error200 = fault({
  name: 'error200',
  summary: '200 with an error in the body; @body=result|bare|asynchronous|flag|own (the form of the API)',
  rate: 0.02,
  keys: { body: ['own', 'result', 'bare', 'asynchronous', 'flag'] },
  create: ({ body }) => ({
    change: (_, { kind }) => {
      const own = kind === 'backup' ? 'result' : 'flag';
      return jsonAnswer(200, BODIES[body === 'own' ? own : body]);
    },
  }),
});
