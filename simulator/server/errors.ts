import type { ServedKind } from '../kind.ts';
import { type Answer, jsonAnswer } from '../profiles/answer.ts';

/** `native`: {Message} from signage, as ASP.NET has it; {result, error} from backup. */
export type ErrorForm = 'native' | 'message' | 'problem' | 'odata';

/** An error: the API, the status, a code, a message and a detail. */
export type ErrorAnswer = (
  kind: ServedKind,
  status: number,
  code: string,
  message: string,
  detail?: string,
) => Answer;

/** The errors of a dialect. */
export const ERRORS: Readonly<Record<ErrorForm, ErrorAnswer>> = {
  native: (kind, status, code, message, detail) =>
    kind === 'signage'
      ? ERRORS.message(kind, status, code, message, detail)
      : jsonAnswer(status, { result: 'error', error: { code, description: message } }, headersOf(status)),
  message: (_, status, __, Message, MessageDetail) =>
    jsonAnswer(status, { Message, ...(MessageDetail !== undefined && { MessageDetail }) }, headersOf(status)),
  problem: (_, status, code, title, detail = title) =>
    jsonAnswer(
      status,
      { type: `https://example.com/problems/${code}`, title, status, detail },
      { 'content-type': 'application/problem+json' },
    ),
  odata: (_, status, code, message) => jsonAnswer(status, { error: { code, message } }),
};

const headersOf = (status: number): Record<string, string> => (status === 405 ? { allow: 'GET' } : {});

/** The backup API's answer to a call without account_id. */
export function accountIdMissing(): Answer {
  const missing = {
    code: 'validation_rule_required',
    description: 'The account id field is required.',
    context: { attribute: 'account_id' },
  };
  return jsonAnswer(422, {
    result: 'error',
    error: { code: 'validation_failed', description: 'Validation failed', errors: [missing] },
  });
}

export function versionRefused(asked: string, served: string): Answer {
  const Message = `The HTTP resource does not support the API version '${asked}'. Use version '${served}'.`;
  return jsonAnswer(400, { Error: { Code: 'UnsupportedApiVersion', Message } });
}
