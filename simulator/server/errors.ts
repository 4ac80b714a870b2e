import type { Json } from '../json.ts';
import type { ServedKind } from '../kind.ts';
import { type Answer, jsonAnswer } from '../profiles/answer.ts';

/** The body of an error: `{Message}` of the signage API, as ASP.NET has it; `{result, error}` of the backup API. */
export function errorAnswer(
  kind: ServedKind,
  status: number,
  code: string,
  message: string,
  detail?: string,
): Answer {
  const headers: Record<string, string> = status === 405 ? { allow: 'GET' } : {};
  return jsonAnswer(
    status,
    kind === 'signage' ? signageBody(message, detail) : backupBody(code, message),
    headers,
  );
}

function signageBody(message: string, detail: string | undefined): Json {
  return detail === undefined ? { Message: message } : { Message: message, MessageDetail: detail };
}

function backupBody(code: string, description: string): Json {
  return { result: 'error', error: { code, description } };
}

/** The backup API's answer to a call without account_id. */
export function accountIdMissing(): Answer {
  return jsonAnswer(422, {
    result: 'error',
    error: {
      code: 'validation_failed',
      description: 'Validation failed',
      errors: [
        {
          code: 'validation_rule_required',
          description: 'The account id field is required.',
          context: { attribute: 'account_id' },
        },
      ],
    },
  });
}

export function versionRefused(asked: string, served: string): Answer {
  return jsonAnswer(400, {
    Error: {
      Code: 'UnsupportedApiVersion',
      Message: `The HTTP resource does not support the API version '${asked}'. Use version '${served}'.`,
    },
  });
}
