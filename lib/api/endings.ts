import type { Outcome } from '../lake/raw/raw.ts';
import type { Question } from '../sources/question.ts';
import type { Resource } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';
import { judgeFault } from './call/judge.ts';
import { faultOf } from './call-fault.ts';
import type { ApiClient, Refusal } from './client.ts';
import { type ApiCode, ListingError, messageOf } from './codes.ts';
import type { Contract } from './contract/contract.ts';
import type { Finding } from './contract/cures.ts';
import { type GoneProof, messageOfRefusal, saysNone } from './contract/gone-proof.ts';
import type { Siblings } from './contract/siblings.ts';
import { type Fact, nameOf } from './read/facts.ts';

export interface FetchListingOptions {
  readonly client: ApiClient;
  readonly source: Source;
  readonly resource: Resource;
  /** The parent's id; null for a listing without parent. */
  readonly parentId: string | null;
  /** What earlier runs have shown of this listing. */
  readonly contract?: Contract | undefined;
  /** Without a contract: the form of the records that another parent's answer of this run proves. */
  readonly form?: Contract | undefined;
  /** What an earlier answer of this run showed: one page then proves nothing new. */
  readonly shown?: () => Contract | undefined;
  /** True where the last committed run found it empty. Its first day is over, so nothing is noted. */
  readonly wasEmpty?: boolean;
  /** Decides whether a parent with a listing that answers 404 is gone. @default it is */
  readonly goneProof?: GoneProof;
  /** What the listings of all parents have shown. */
  readonly siblings?: Siblings;
  /**
   * Receives the records of each slice before its row is yielded; `isMended` if DuckDB reads them in another
   * form. Integers beyond 2^53 are strings of their digits.
   */
  readonly onRecords?: (records: readonly unknown[], isMended: boolean) => void;
}

/** How a listing ended. */
export interface Ending {
  readonly outcome: Outcome;
  readonly errorCode: ApiCode | null;
  readonly message: string | null;
  /** Before this time the server wants no further call for the item. */
  readonly notBefore?: Date;
  /** The calls that found it out. */
  readonly attempts?: number;
  /** The question to the operator, if settings may help. */
  readonly question?: Question;
}

/** Ends a listing with the result of a call. It never leaves lib/api. */
export class Ended extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(ending.message ?? ending.outcome);
    this.ending = ending;
  }
}

type About = Pick<FetchListingOptions, 'source' | 'resource' | 'parentId' | 'goneProof'>;

interface RefusedOptions {
  readonly about: About;
  /** True: no page was read before. */
  readonly isFirst: boolean;
  /** The member that showed the failure. */
  readonly failure: Fact | undefined;
}

/** How a refusal ends its listing. */
export async function refusalEnding(
  reply: Refusal,
  { about, isFirst, failure }: RefusedOptions,
): Promise<Ending> {
  const { code, message, notBefore } = reply;
  if (code === 'API_ERROR' && failure !== undefined) {
    const setting = `resources.${about.resource.name}.ignore`;
    const cures = [{ setting, choices: [[nameOf(failure)]], when: 'it does not report a failure' }];
    return endingBy({ code, says: message.replace(/\.$/, ''), cures }, about);
  }
  // After other pages, a missing page does not mean that the listing is gone.
  const outcome = isFirst ? reply.outcome : 'failed';
  const ending = { outcome, errorCode: code, message, ...(notBefore && { notBefore }) };
  return outcome === 'gone' ? await goneEnding(reply, { about, ending }) : ending;
}

/** The ending for an error during the reading of answers. */
export function endingOf(error: unknown, about: About, status: number | null): Ending {
  if (error instanceof Ended) return error.ending;
  if (error instanceof ListingError) return endingBy(error, about);
  const { code, message } = judgeFault(faultOf(error, status ?? 0));
  return { outcome: 'failed', errorCode: code, message };
}

/** The ending that a finding explains, with a question where settings may help. */
export function endingBy(
  { code, says, cures }: Finding,
  { source, resource }: Pick<About, 'source' | 'resource'>,
  outcome: Outcome = 'failed',
): Ending {
  const question = { code, source: source.name, resource: resource.name, says, cures };
  const message = messageOf(says, code, cures);
  return { outcome, errorCode: code, message, ...(cures.length > 0 && { question }) };
}

/** The ending of a parent's listing with a 404, which may not mean that the parent is gone. */
async function goneEnding(
  { status, text }: Refusal,
  { about, ending: gone }: { readonly about: About; readonly ending: Ending },
): Promise<Ending> {
  const { goneProof, resource, parentId, source } = about;
  if (parentId === null) return gone;
  if (saysNone({ text, parentId }, source.resources[resource.name]?.none ?? []))
    return { outcome: 'empty', errorCode: null, message: null };
  if (goneProof === undefined) return gone;
  const { isGone, name, attempts } = await goneProof.of({ resource, parentId, status, text });
  if (isGone) return { ...gone, attempts };
  const code = 'GONE_UNPROVEN';
  const says = `The server answered HTTP ${status} (text ${name}). For a parent that cannot exist it answers otherwise`;
  const none = messageOfRefusal({ text, parentId });
  const setting = `resources.${resource.name}.none`;
  const choices = none === null ? [] : [[none]];
  const cures = [{ setting, choices, when: 'this text means that there are none' }];
  const asking = { ...endingBy({ code, says, cures }, about), attempts };
  return none === null ? { ...asking, message: messageOf(says, code) } : asking;
}
