import { readFile } from 'node:fs/promises';
import { StateMachine } from 'aws-local-stepfunctions';
import { ExportError } from '../errors.ts';
import { flowOf } from './flow.ts';

/** A Task's function: its input in, its output out, as Step Functions passes them. */
export type TaskHandler = (input: unknown) => Promise<unknown>;

/** The most bytes that AWS allows as input or output of a state. */
export const PAYLOAD_LIMIT = 262_144;

interface InterpretOptions {
  readonly onStateEntered?: (name: string) => void;
  /** Milliseconds before a state is tried again. @default as the definition says */
  readonly retryMs?: number;
}

const DEFINITION = new URL('../../infra/export.asl.json', import.meta.url);

/**
 * Interprets infra/export.asl.json, the deployed file. `handlers` has a function for each state's name, which
 * also serves its copy (`ListAgain`). Returns the execution's output. Throws a handler's own error where it
 * ended the execution. Throws PAYLOAD_TOO_LARGE beyond AWS's limit, and the error of a Fail state
 * (RUN_FAILED).
 */
export async function interpret(
  input: unknown,
  handlers: Readonly<Record<string, TaskHandler>>,
  { onStateEntered = () => {}, retryMs }: InterpretOptions = {},
): Promise<unknown> {
  const definition = flowOf(await readFile(DEFINITION, 'utf8'));
  const machine = new StateMachine(definition as never, { validationOptions: { noValidate: true } });
  const thrown: Error[] = [];
  const states = Object.entries(handlers).flatMap(([state, handler]) =>
    [state, `${state}Again`].map((name) => [name, handler] as const),
  );
  const local = states.map(([state, handler]) => [
    state,
    async (payload: unknown) => {
      try {
        return await handler(structuredClone(payload));
      } catch (error) {
        if (error instanceof Error) thrown.push(error);
        throw error;
      }
    },
  ]);
  const execution = machine.run(input as never, {
    overrides: {
      taskResourceLocalHandlers: Object.fromEntries(local),
      ...(retryMs !== undefined && {
        retryIntervalOverrides: Object.fromEntries(states.map(([state]) => [state, retryMs])),
      }),
    },
    noThrowOnAbort: true,
  });
  let tooLarge: ExportError | undefined;
  const watched = (async () => {
    for await (const event of execution.eventLogs) {
      if (!('state' in event)) continue;
      if (event.type.endsWith('StateEntered')) onStateEntered(event.state.name);
      const bytes = Math.max(sizeOf(event.state.input), sizeOf(event.state.output));
      if (bytes <= PAYLOAD_LIMIT || tooLarge !== undefined) continue;
      tooLarge = new ExportError({
        code: 'PAYLOAD_TOO_LARGE',
        message: `State ${event.state.name} has a payload of ${bytes} bytes and AWS allows ${PAYLOAD_LIMIT}: it belongs below state/runs.`,
      });
      execution.abort();
    }
  })();
  try {
    const [output] = await Promise.all([execution.result, watched]);
    if (tooLarge !== undefined) throw tooLarge;
    return output;
  } catch (error) {
    const failure = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    if (!(failure instanceof Error)) throw error;
    const own = thrown.find(({ name, message }) => name === failure.name && message === failure.message);
    throw own ?? new ExportError({ code: failure.name, message: failure.message, cause: error });
  }
}

function sizeOf(payload: unknown): number {
  return payload === undefined ? 0 : Buffer.byteLength(JSON.stringify(payload));
}
