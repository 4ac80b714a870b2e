import type { Outcome, RawRow } from '../lake/raw/raw.ts';
import { type Cure, type Question, saidWithCures } from '../sources/question.ts';
import type { Resource, Target } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';
import { nameOf, type Said } from './beside/beside.ts';
import { CallRefused } from './call/call-refused.ts';
import { judgeFault } from './call/judge.ts';
import { faultOf } from './call-fault.ts';
import type { ApiClient } from './client.ts';
import { type ApiCode, messageOf } from './codes.ts';
import { childForm } from './compared/child-form.ts';
import { curesOfRefusal } from './cures-of-refusal.ts';
import type { Dialect } from './dialect.ts';
import type { GoneProof } from './gone-proof.ts';
import { CHILD_MAX_BYTES, CHILD_TIMEOUT_MS, LISTING_TIMEOUT_MS } from './limits.ts';
import { ListingError } from './listing-error.ts';
import { createLooksAhead, type LooksAhead } from './looks-ahead.ts';
import { messageOfRefusal, saysNone } from './none-text.ts';
import { unendingText } from './paging/endless.ts';
import { createPager } from './paging/pager.ts';
import type { Pager } from './paging/turn.ts';
import type { FaultIn } from './records/error-in-body.ts';
import type { Place } from './records/place.ts';
import { checkWidth } from './records/record-bounds.ts';
import { cutSlices, type Slice } from './records/slices.ts';
import type { Answer, Refusal, Reply } from './reply.ts';
import type { Shown } from './shown.ts';
import { createUnderstanding, hasLines } from './understand.ts';

export interface FetchListingOptions {
  readonly client: ApiClient;
  readonly source: Source;
  readonly resource: Resource;
  /** The id of the parent whose records are asked for; null for a listing without parent. */
  readonly parentId: string | null;
  /** The dialect that earlier answers of this resource have shown. */
  readonly lock?: Dialect;
  /** Without a lock: what another parent's answer of this run proves of the form of the records, and of the parameter of pages. */
  readonly form?: Dialect;
  /** Whether an earlier answer of this run has shown the dialect: that of a listing of one page proves nothing more. */
  readonly isShown?: boolean;
  /** Tells whether a parent whose listing answers 404 is gone. @default it is */
  readonly goneProof?: GoneProof;
  /** What the listings of all parents have shown. */
  readonly shown?: Shown;
  /**
   * Gets the records of each slice before its row is yielded; `isMended` if DuckDB reads them in another form. Integers
   * beyond 2^53 are strings of their digits.
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
  /** The question to the operator, if settings may help. */
  readonly question?: Question;
}

/** The state of a listing while it is read. */
export interface ListingProgress {
  readonly pager: Pager;
  /** What went wrong; null if nothing has. */
  ending: Ending | null;
  envelope: string | null;
  /** The keys that the records of a map share. */
  keys?: readonly string[] | undefined;
  pages: number;
  items: number;
  /** Bytes of all pages. */
  bytes: number;
  /** The place of the next row. */
  at: Pick<RawRow, 'page' | 'slice' | 'answeredAt' | 'status' | 'attempts'>;
}

/** What a row without an answer has in place of it. */
export const NO_BODY = { items: 0, recordsFrom: null, recordsTo: null, body: null, mended: null };
const NO_OUTCOME = { outcome: null, errorCode: null, message: null };

/** The state before anything is read. */
export function startListing(options: FetchListingOptions): ListingProgress {
  const { source, resource, parentId, lock, form, shown } = options;
  const target = resource.target(source, parentId ?? '');
  const pager = createPager({ source, resource, target, lock, form, shown });
  const at = { page: 0, slice: 0, answeredAt: new Date(0), status: null, attempts: 0 };
  return { pager, ending: null, envelope: null, pages: 0, items: 0, bytes: 0, at };
}

/**
 * Yields the rows of all pages, without outcome; an early end is put into `reading.ending`. Whatever is thrown while the
 * answers of an item are read ends in the item's outcome. Only CallRefused is thrown, if the API refuses the whole source.
 */
export async function* rowsOfItem(
  options: FetchListingOptions,
  reading: ListingProgress,
): AsyncGenerator<RawRow> {
  const { client, source, resource } = options;
  try {
    const lock = options.lock ?? options.form;
    const understand = createUnderstanding({ ...options, ...(lock && { lock }) });
    let fault: Said | null = null;
    const faultIn: FaultIn = (answer) => {
      fault = understand(answer).fault;
      return fault === null ? null : nameOf(fault);
    };
    const bounds =
      resource.parent === null
        ? { maxBytes: source.maxListingBytes, timeoutMs: LISTING_TIMEOUT_MS }
        : { maxBytes: CHILD_MAX_BYTES, timeoutMs: CHILD_TIMEOUT_MS };
    const mayBeEmpty = hasLines(options);
    // Without a listing of parents a whole source is missing.
    const retriesUnusable = resource.parent === null;
    using looks = createLooksAhead(reading.pager, (target) => {
      const maxBytes = Math.max(1, bounds.maxBytes - reading.bytes);
      return client.get(target, { ...bounds, maxBytes, faultIn, mayBeEmpty, retriesUnusable });
    });
    let thrown: unknown;
    try {
      yield* rowsOfReplies(looks, { options, reading, understand, told: () => fault });
    } catch (error) {
      thrown = error;
    }
    // Looks whose replies nobody reads are counted like the others.
    for (const reply of await looks.left()) yield callOf(reply, { options, reading });
    if (thrown !== undefined) throw thrown;
  } catch (error) {
    if (error instanceof CallRefused) throw error;
    reading.ending = endingOf(error, { options, reading });
  }
}

interface ListingUnderWay {
  readonly options: FetchListingOptions;
  readonly reading: ListingProgress;
}

interface RepliesRead extends ListingUnderWay {
  readonly understand: ReturnType<typeof createUnderstanding>;
  /** The failure that the last answer tells. */
  readonly told: () => Said | null;
}

async function* rowsOfReplies(
  looks: LooksAhead,
  { options, reading, understand, told }: RepliesRead,
): AsyncGenerator<RawRow> {
  const { resource } = options;
  let begun: Date | undefined;
  for (let target: Target | null = reading.pager.first; target !== null; ) {
    const reply = await looks.get(target);
    const { answeredAt, status, attempts } = reply;
    begun ??= answeredAt;
    // What only looks for further pages is no page.
    const isLook = reading.pager.isTrying();
    if (!isLook) reading.at = { page: reading.pages, slice: 0, answeredAt, status, attempts };
    if (reply.kind === 'refusal') {
      const turn = reading.pager.refused(status);
      if (turn !== null) {
        yield callOf(reply, { options, reading });
        target = turn.target;
        continue;
      }
      // After other pages, a missing page does not mean that the listing is gone.
      const outcome = reading.pages === 0 ? reply.outcome : 'failed';
      const doubt = outcome === 'gone' ? await unprovenGone(reply, { options, reading }) : null;
      const cures = curesOfRefusal(reply, { resource: resource.name, fault: told() });
      reading.ending =
        cures.length > 0
          ? askingEnding(reply, { options, cures })
          : (doubt ?? {
              outcome,
              errorCode: reply.code,
              message: reply.message,
              ...(reply.notBefore && { notBefore: reply.notBefore }),
            });
      return;
    }
    try {
      reading.bytes += reply.body?.bytes ?? 0;
      const { pages } = reading;
      const isAgain = resource.parent === null && reply.body !== null && looks.isFirstAgain(reply.body);
      target = isAgain
        ? reading.pager.again().target
        : yield* rowsOfPage(reply, { options, reading, understand });
      if (reading.pages === pages) yield callOf(reply, { options, reading });
    } catch (error) {
      if (isLook) yield callOf(reply, { options, reading });
      throw error;
    } finally {
      reply.body?.close();
    }
    const unending = unendingText({ begun, answeredAt, isChild: resource.parent !== null });
    if (target !== null && unending !== null)
      throw new ListingError('PAGING_ENDLESS', unending, { resource: resource.name });
  }
}

/** The row of a call that gave no page: it has nothing but its number of requests, so that each is counted. */
function callOf({ attempts }: Reply, { options, reading }: ListingUnderWay): RawRow {
  const at = { ...reading.at, page: Math.max(0, reading.pages - 1), slice: 0, status: null, attempts };
  return { parentId: options.parentId, ...at, ...NO_OUTCOME, ...NO_BODY };
}

/** True for the row of a call that gave no page. */
export function isCall({ status, body, outcome }: RawRow): boolean {
  return status === null && body === null && outcome === null;
}

/** The ending of a parent's listing whose 404 may mean something else than that the parent is gone; null if it does not. */
async function unprovenGone(
  { status, text }: Refusal,
  { options, reading }: ListingUnderWay,
): Promise<Ending | null> {
  const { goneProof, resource, parentId, source } = options;
  if (parentId === null) return null;
  if (saysNone({ text, parentId }, source.resources[resource.name]?.none ?? []))
    return { outcome: 'empty', errorCode: null, message: null };
  if (goneProof === undefined) return null;
  const { isGone, name, attempts } = await goneProof.of({ resource, parentId, status, text });
  reading.at = { ...reading.at, attempts: reading.at.attempts + attempts };
  if (isGone) return null;
  const errorCode = 'GONE_UNPROVEN';
  const says = `The server answered HTTP ${status} (text ${name}), and not so for a parent that cannot exist`;
  const none = messageOfRefusal({ text, parentId });
  const cures: readonly Cure[] = [
    {
      setting: `resources.${resource.name}.none`,
      choices: none === null ? [] : [[none]],
      when: 'so it says that there are none',
    },
  ];
  const message = none === null ? messageOf(says, errorCode) : saidWithCures(says, cures);
  const question = { code: errorCode, source: source.name, resource: resource.name, says, cures } as const;
  return { outcome: 'failed', errorCode, message, question };
}

/** Yields the rows of a page, and returns the target of the next one. */
function* rowsOfPage(
  answer: Answer,
  { options, reading, understand }: Pick<RepliesRead, 'options' | 'reading' | 'understand'>,
): Generator<RawRow, Target | null> {
  const { pager } = reading;
  const { headers } = answer;
  const { shape, beside, body } = understand(answer);
  if (shape instanceof ListingError) {
    if (!pager.isTrying()) throw shape;
    return pager.refused(answer.status)?.target ?? null;
  }
  const envelope = shape.place === null ? null : shape.envelope;
  const form = childForm(shape, body);
  pager.open({ headers, beside, status: answer.status, form, envelope, nulls: nullsAt(shape.place) });
  const isProbe = pager.isProbe();
  let count = 0;
  const rowOf = ({ records, ...slice }: Slice): RawRow => {
    if (!isProbe) {
      pager.look(records);
      count += slice.items;
    }
    checkWidth(records, options);
    options.onRecords?.(records, slice.mended !== null);
    return { parentId: options.parentId, ...reading.at, ...NO_OUTCOME, ...slice };
  };
  const rows = function* (): Generator<RawRow> {
    if (body === null) return;
    // A row that waits to be written must not hold the parsed records: many calls wait at once.
    const slices = cutSlices(body, shape.place);
    const nextRow = (): RawRow | undefined => {
      const cut = slices.next();
      return cut.done === true ? undefined : rowOf(cut.value);
    };
    for (let row = nextRow(); row !== undefined; row = nextRow()) {
      yield row;
      reading.items += row.items;
      reading.at = { ...reading.at, slice: reading.at.slice + 1 };
    }
  };
  if (isProbe) {
    // Only after its last record is it known if the page counts, so it is read twice and not kept.
    for (const { records, items } of body === null ? [] : cutSlices(body, shape.place)) {
      pager.look(records);
      count += items;
    }
  } else yield* rows();
  const turn = pager.next(count);
  if (turn.isKept && isProbe) yield* rows();
  if (turn.isKept) {
    reading.envelope = reading.envelope === null || shape.place !== null ? shape.envelope : reading.envelope;
    reading.keys ??= shape.keys;
    reading.pages += 1;
  }
  return turn.target;
}

/** How many entries of a list are null in place of a record. */
function nullsAt(place: Place | null): number {
  if (place === null || place.form !== 'array' || place.each !== undefined) return 0;
  const { kind, children, objects } = place.container;
  return kind === 'array' ? children - objects : 0;
}

/** The ending of a refusal that settings may turn into an answer. */
function askingEnding(
  { code, message }: Refusal,
  {
    options: { source, resource },
    cures,
  }: { readonly options: FetchListingOptions; readonly cures: readonly Cure[] },
): Ending {
  const says = message.replace(/\.$/, '');
  const question = { code, source: source.name, resource: resource.name, says, cures };
  return { outcome: 'failed', errorCode: code, message: saidWithCures(says, cures), question };
}

function endingOf(
  error: unknown,
  {
    options: { source, resource },
    reading,
  }: { readonly options: FetchListingOptions; readonly reading: ListingProgress },
): Ending {
  if (error instanceof ListingError) {
    const { code, message, says, cures } = error;
    const question = { code, source: source.name, resource: resource.name, says, cures };
    return { outcome: 'failed', errorCode: code, message, ...(cures.length > 0 && { question }) };
  }
  const { code, message } = judgeFault(faultOf(error, reading.at.status ?? 0));
  return { outcome: 'failed', errorCode: code, message };
}
