export interface ErrorDetails {
  /** Upper case with underscores; docs/run/codes.md explains it. */
  readonly code: string;
  /** What went wrong, where, and the cure. Never a secret, never a body. */
  readonly message: string;
  readonly cause?: unknown;
}

/**
 * Every error that signage-export throws on purpose. To handle one, check its class or code. A UsageError ends a
 * command with exit code 2. A CallRefused ends all calls of a source. `mayPass` says if a later try may help for a code.
 */
export class ExportError extends Error {
  readonly code: string;

  constructor(details: ErrorDetails) {
    super(details.message, { cause: details.cause });
    this.name = details.code;
    this.code = details.code;
  }
}

/** Wrong usage or configuration: the command ends with exit code 2. */
export class UsageError extends ExportError {
  constructor(message: string, code = 'CONFIG_INVALID', cause?: unknown) {
    super({ code, message, cause });
  }
}

/** True of this program's errors with one of these codes. */
export const hasCode =
  (...codes: readonly string[]) =>
  (error: unknown): error is ExportError =>
    error instanceof ExportError && codes.includes(error.code);

/** True of the errors of a class. */
export const isA =
  <Kind extends Error>(kind: abstract new (...of: never[]) => Kind) =>
  (error: unknown): error is Kind =>
    error instanceof kind;

/** For a catch: the value in place of an expected error. Throws every other error. */
export const instead =
  <Value>(isExpected: (error: unknown) => boolean, value: Value) =>
  (error: unknown): Value => {
    if (!isExpected(error)) throw error;
    return value;
  };

/** The operating system's word for an error (`ENOENT`), where it has one. */
export function errno(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The name of an error, by which clients of AWS tell theirs apart. */
export const errorName = (error: unknown): string => (error instanceof Error ? error.name : 'unknown error');
