import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { ExportError } from '#lib/errors.ts';

/** What Lambda answers for a function that threw. */
const lambdaError = z.object({ errorType: z.string(), errorMessage: z.string() }).partial().nullable();

/** What a function returns. Throws what it threw. */
export async function invokeFunction(FunctionName: string, event: object): Promise<unknown> {
  const { FunctionError, Payload } = await new LambdaClient().send(
    new InvokeCommand({ FunctionName, Payload: Buffer.from(JSON.stringify(event)) }),
  );
  const answer: unknown = JSON.parse(Buffer.from(Payload ?? []).toString('utf8') || 'null');
  if (FunctionError === undefined) return answer;
  const { errorType, errorMessage } = lambdaError.parse(answer) ?? {};
  throw new ExportError({
    code: errorType ?? 'START_FAILED',
    message: errorMessage ?? `The function ${FunctionName} failed: look at its log.`,
  });
}
