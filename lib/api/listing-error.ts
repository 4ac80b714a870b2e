import { API_CODES, type ApiCode } from './codes.ts';

/** A listing that cannot be used, though its calls were answered. It becomes the listing's last row. */
export class ListingError extends Error {
  readonly code: ApiCode;

  /** `what` was seen: keys and counts, never values. A cure of its own says more than the code's. */
  constructor(code: ApiCode, what: string, resource: string, cure: string = API_CODES[code].cure) {
    super(`${what}: ${cure.replaceAll('NAME', resource)}.`);
    this.name = code;
    this.code = code;
  }
}
