import { errorAnswer } from '../server/errors.ts';
import { jsonAnswer } from './answer.ts';

/** `native`: {Message} from signage, {result, error} from backup. */
export type ErrorForm = 'native' | 'message' | 'problem' | 'odata';

/** The error bodies of a dialect. */
export function errorIn(form: ErrorForm): typeof errorAnswer {
  switch (form) {
    case 'native':
      return errorAnswer;
    case 'message':
      return (_, status, code, message, detail) => errorAnswer('signage', status, code, message, detail);
    case 'problem':
      return (_, status, code, message, detail) =>
        jsonAnswer(
          status,
          { type: `https://example.com/problems/${code}`, title: message, status, detail: detail ?? message },
          { 'content-type': 'application/problem+json' },
        );
    case 'odata':
      return (_, status, code, message) => jsonAnswer(status, { error: { code, message } });
  }
}
