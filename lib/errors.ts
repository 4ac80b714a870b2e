/** What the one who catches an error does next: try again, go on without the item, or end the run. */
export type Mark = 'retry' | 'skip' | 'stop';

export interface ErrorDetails {
  /** Upper case with underscores; docs/runbook.md has a heading for it. */
  readonly code: string;
  readonly mark: Mark;
  /** What went wrong, where, and the cure. Never a secret, never a body. */
  readonly message: string;
  readonly cause?: unknown;
}

/** Every error that signage-export throws on purpose. */
export class ExportError extends Error {
  readonly code: string;
  readonly mark: Mark;

  constructor(details: ErrorDetails) {
    super(details.message, { cause: details.cause });
    this.name = details.code;
    this.code = details.code;
    this.mark = details.mark;
  }
}

/** Wrong usage or configuration: the command ends with exit code 2. */
export class UsageError extends ExportError {
  constructor(message: string, code = 'CONFIG_INVALID', cause?: unknown) {
    super({ code, mark: 'stop', message, cause });
  }
}
