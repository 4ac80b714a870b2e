import type { Cure } from '../../sources/question.ts';
import type { Resource } from '../../sources/resources.ts';
import type { ApiCode } from '../codes.ts';
import type { PagesRead } from '../pages/reading.ts';
import type { Contract } from './contract.ts';
import type { FactTexts } from './fact-texts.ts';

/** A listing that was read to its end, and what is known of it. */
export interface Judged {
  readonly resource: Resource;
  readonly read: PagesRead;
  /** False: an answer ended where its connection ended, and nothing tells whether that was its end. */
  readonly isEndProven: boolean;
  /** No day before had a record. */
  readonly wasEmpty: boolean;
  /** What earlier days have shown. */
  readonly contract: Contract | undefined;
  /** Of the first page. */
  readonly texts: FactTexts;
  readonly settings: {
    /** `resources.NAME.paging` */
    readonly paging: string | undefined;
    readonly complete: boolean;
    readonly ignore: readonly string[];
    /** `strict` of the source: a note is a doubt. */
    readonly isStrict: boolean;
  };
}

/** What is said of a listing: what was seen, without full stop, and the settings that answer it. */
export interface Finding {
  readonly code: ApiCode;
  readonly says: string;
  readonly cures: readonly Cure[];
}
