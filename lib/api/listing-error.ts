import type { Cure } from '../sources/question.ts';
import { type ApiCode, curesOf, messageOf } from './codes.ts';

/**
 * A listing that cannot be used, though its calls were answered. It becomes the listing's last row, and, where settings
 * may help, a question.
 */
export class ListingError extends Error {
  readonly code: ApiCode;
  /** What was seen, as a sentence without its full stop: keys and counts, never values. */
  readonly says: string;
  /** The settings that may help, with what may stand there as far as the answer shows it. */
  readonly cures: readonly Cure[];

  /** `cures` say more than those of the code, such as the places where the records may be. */
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
