import { freePort, type Service, startService } from '../../support/service.ts';
import { lambdaRuntime } from './tools.ts';

export interface LambdaStandIn extends AsyncDisposable {
  readonly service: Service;
  /** Calls the function; one call after the other, for an instance of a Lambda has one at a time. Throws its error. */
  invoke(event: unknown): Promise<unknown>;
}

export interface LambdaOptions {
  /** What is in the zip. */
  readonly bundle: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMiB: number;
  readonly timeoutSeconds: number;
}

/** An instance of a function: AWS's emulator and runtime client over the bundle's files. */
export async function startLambda(options: LambdaOptions): Promise<LambdaStandIn> {
  const { rie, ric } = await lambdaRuntime();
  const [port, runtimePort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}/2015-03-31/functions/function/invocations`;
  const service = await startService({
    command: rie,
    args: [
      ...['--runtime-interface-emulator-address', `127.0.0.1:${port}`],
      ...['--runtime-api-address', `127.0.0.1:${runtimePort}`],
      ...[process.execPath, ric, 'index.handler'],
    ],
    cwd: options.bundle,
    env: {
      LAMBDA_TASK_ROOT: options.bundle,
      AWS_LAMBDA_FUNCTION_TIMEOUT: String(options.timeoutSeconds),
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(options.memoryMiB),
      ...options.environment,
    },
    // Any path but the one of invocations is answered with 404.
    isReady: async () => (await fetch(`http://127.0.0.1:${port}/`)).status > 0,
    patienceMs: 10_000,
  });
  let before: Promise<unknown> = Promise.resolve();
  const call = async (event: unknown): Promise<unknown> => {
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(event) });
    const text = await answer.text();
    const body = text === '' ? null : JSON.parse(text);
    // The emulator answers 200 for a function's error too, and a plain text where it killed one.
    if (typeof body === 'object' && body !== null && 'errorType' in body) {
      throw Object.assign(new Error(String(body.errorMessage)), { name: String(body.errorType) });
    }
    return body;
  };
  return {
    service,
    invoke: (event) => {
      const mine = before.then(() => call(event));
      before = mine.catch(() => undefined);
      return mine;
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
