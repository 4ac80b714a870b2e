import { ExportError } from '../../errors.ts';

/** Why the whole source is refused, as one call ended by it. */
export class CallRefused extends ExportError {
  /** Calls sent until then. */
  readonly attempts: number;
  /** Of the last answer; null where none came. */
  readonly status: number | null;

  constructor(refused: ExportError, call: { readonly attempts: number; readonly status: number | null }) {
    const { code, message } = refused;
    super({ code, message, cause: refused });
    this.attempts = call.attempts;
    this.status = call.status;
  }
}
