import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

/** Hands an event to a function, which Lambda calls when it can. The caller does not wait for its answer. */
export async function invokeLater(FunctionName: string, event: unknown): Promise<void> {
  const Payload = Buffer.from(JSON.stringify(event));
  await new LambdaClient().send(new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload }));
}
