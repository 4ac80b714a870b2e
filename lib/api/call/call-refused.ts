import { ExportError } from '../../errors.ts';

/** The end of a call because its whole source is refused. */
export class CallRefused extends ExportError {
  /** Tries of the call so far. */
  readonly attempts: number;
  /** The status of the last answer; null if none came. */
  readonly status: number | null;

  constructor(refused: ExportError, call: { readonly attempts: number; readonly status: number | null }) {
    const { code, message } = refused;
    super({ code, message, cause: refused });
    this.attempts = call.attempts;
    this.status = call.status;
  }
}
