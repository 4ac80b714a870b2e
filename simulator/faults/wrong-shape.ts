import { jsonAnswer } from '../profiles/answer.ts';
import { fault } from './fault.ts';

const BODIES = {
  object: { Version: '1.12', State: 'Running', Server: { Name: 'web-3', Uptime: 86_400 } },
  message: { Message: 'OK' },
  number: 42,
  text: 'OK',
  null: null,
  numbers: [1, 2, 3],
};

export const wrongShape = fault({
  name: 'wrong-shape',
  summary: '200 with JSON that is no listing; @shape=object|message|number|text|null|numbers',
  rate: 0.02,
  keys: { shape: ['object', 'message', 'number', 'text', 'null', 'numbers'] },
  create: ({ shape }) => ({
    change: () => jsonAnswer(200, BODIES[shape]),
  }),
});
