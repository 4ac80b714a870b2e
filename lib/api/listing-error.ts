import type { Cure } from '../sources/question.ts';
import { type ApiCode, curesOf, messageOf } from './codes.ts';

/**
 * A listing that is unusable although its calls were answered. It becomes the listing's last row and, if
 * settings may help, a question.
 */
export class ListingError extends Error {
  readonly code: ApiCode;
  /** The observation: a sentence without full stop, with keys and counts, never with values. */
  readonly says: string;
  /** The settings that may help, with their values if the answer shows them. */
  readonly cures: readonly Cure[];

  /** @param cures more exact ones than the code's own, such as the places where the records may be */
  constructor(
    code: ApiCode,
    says: string,
    about: { readonly resource: string; readonly cures?: readonly Cure[] },
  ) {
    const cures = about.cures ?? curesOf(code, about.resource);
    super(messageOf(says, code, cures));
    this.name = code;
    this.code = code;
    this.says = says;
    this.cures = cures;
  }
}
