import { parsePaging } from '../config/paging-style.ts';
import type { RawRow } from '../lake/raw/raw.ts';
import type { Target } from '../sources/resources.ts';
import { targetText } from './call/call.ts';
import type { Answer, Refusal, Reply } from './client.ts';
import { ListingError } from './codes.ts';
import { Ended, type FetchListingOptions, refusalEnding } from './endings.ts';
import { CHILD_MAX_BYTES, CHILD_TIMEOUT_MS, LISTING_TIMEOUT_MS } from './limits.ts';
import { createPageAnswers, type PageAnswer } from './page-answer.ts';
import type { NoPage, Page } from './pages/reading.ts';
import { type Fact, nameOf } from './read/facts.ts';
import type { FaultIn } from './read/failure.ts';
import { signalsOf } from './read/signals.ts';
import { wordsOf } from './read/words.ts';
import { areAmong } from './records/entries.ts';
import { isAsideList } from './records/places.ts';
import type { Place } from './records/shape.ts';
import { cutSlices, recordsAt, type Slice } from './records/slices.ts';
import { strayGuard } from './records/strays.ts';

/** The fields of a row without an answer. */
export const NO_BODY = { items: 0, recordsFrom: null, recordsTo: null, body: null, mended: null };
const NO_OUTCOME = { outcome: null, errorCode: null, message: null };

/** Where the next row of a listing comes from: its page and slice, and the answer of that page. */
export type RowPlace = Pick<RawRow, 'page' | 'slice' | 'answeredAt' | 'status' | 'attempts'>;

export type ListingReader = ReturnType<typeof createListingReader>;

/** Requests the pages of a listing by its client, and makes raw rows of those that count. */
export function createListingReader(options: FetchListingOptions) {
  const { client, source, resource, parentId } = options;
  const settings = source.resources[resource.name];
  const understand = createPageAnswers({ ...options, known: options.contract ?? options.form });
  const isChild = resource.parent !== null;
  const bounds = isChild
    ? { maxBytes: CHILD_MAX_BYTES, timeoutMs: CHILD_TIMEOUT_MS }
    : { maxBytes: source.maxListingBytes, timeoutMs: LISTING_TIMEOUT_MS };
  const signalled = {
    ignore: settings?.ignore ?? [],
    origin: new URL(source.baseUrl).origin,
    listing: wordsOf(resource.listing),
    follow: settings?.paging === undefined ? null : parsePaging(settings.paging),
  };
  const open = new Set<Answer>();
  /** Pages that were requested ahead, by their target. */
  const ahead = new Map<string, Page>();
  const pending: RawRow[] = [];
  let bytes = 0;
  let pages = 0;
  let items = 0;
  let keys: readonly string[] | undefined;
  let refuseStrays: ReturnType<typeof strayGuard> | undefined;
  let at: RowPlace = { page: 0, slice: 0, answeredAt: new Date(0), status: null, attempts: 0 };

  const placeOf = ({ answeredAt, status, attempts }: Reply): RowPlace => ({
    page: pages,
    slice: 0,
    answeredAt,
    status,
    attempts,
  });

  /** Counts a call without a page: its row has only the number of its requests. */
  function count(reply: Reply): RawRow {
    const row = {
      parentId,
      ...placeOf(reply),
      page: Math.max(0, pages - 1),
      status: null,
      ...NO_OUTCOME,
      ...NO_BODY,
    };
    pending.push(row);
    return row;
  }

  /** `end` ends the listing with the call's result. */
  function noPage(reply: Reply, target: Target, end: () => Promise<never>): NoPage {
    const row = count(reply);
    const fail = async (means?: ListingError): Promise<never> => {
      pending.splice(pending.indexOf(row), 1);
      at = placeOf(reply);
      if (means !== undefined) throw means;
      return await end();
    };
    return { kind: 'none', target, status: reply.status, fail };
  }

  function refusedPage(reply: Refusal, target: Target, failure: Fact | undefined): NoPage {
    return noPage(reply, target, async () => {
      const ending = await refusalEnding(reply, { about: options, isFirst: pages === 0, failure });
      at = { ...at, attempts: at.attempts + (ending.attempts ?? 0) };
      throw new Ended(ending);
    });
  }

  function close(answer: Answer): void {
    if (!open.delete(answer)) return;
    answer.body?.close();
    count(answer);
  }

  function* rowsOf(
    answer: Answer,
    page: PageAnswer,
    place: Place | null,
    look: (records: readonly unknown[]) => void,
  ) {
    open.delete(answer);
    at = placeOf(answer);
    const known = options.contract ?? options.form ?? options.shown?.();
    // What an entry holds has other keys than the entry. The members of a whole answer are facts.
    const keysBefore = place?.each === undefined ? known?.keys : [];
    if (place?.form !== 'record') refuseStrays ??= strayGuard({ resource, ...settings }, keysBefore);
    try {
      const slices = page.body === null ? null : cutSlices(page.body, place);
      // A row that waits to be written must not hold the parsed records: many calls wait at once.
      const nextRow = (): RawRow | undefined => {
        const cut = slices?.next();
        return cut === undefined || cut.done === true ? undefined : rowOf(cut.value, look);
      };
      for (let row = nextRow(); row !== undefined; row = nextRow()) {
        yield row;
        items += row.items;
        at = { ...at, slice: at.slice + 1 };
      }
    } finally {
      answer.body?.close();
    }
    pages += 1;
  }

  function rowOf({ records, ...slice }: Slice, look: (records: readonly unknown[]) => void): RawRow {
    refuseStrays?.(records);
    look(records);
    checkWidth(records, options);
    options.onRecords?.(records, slice.mended !== null);
    return { parentId, ...at, ...NO_OUTCOME, ...slice };
  }

  function pageOf(answer: Answer, target: Target, page: PageAnswer): Page | NoPage {
    const { shape, body } = page;
    if (shape instanceof ListingError) {
      open.delete(answer);
      answer.body?.close();
      return noPage(answer, target, () => Promise.reject(shape));
    }
    keys ??= shape.keys;
    const { headers, status } = answer;
    const records = () => (body === null ? [] : recordsAt(body, shape.place));
    const isRepeat = ({ path, value }: Fact): boolean =>
      Array.isArray(value) &&
      !isAsideList(path.at(-1) ?? '') &&
      areAmong(value, { records: records(), resource });
    const facts = page.facts.filter((fact) => !isRepeat(fact));
    return {
      kind: 'page',
      target,
      facts,
      signals: signalsOf({ headers, facts, status, target: targetText(target), ...signalled }),
      envelope: shape.place === null ? null : shape.envelope,
      usualEnvelope: shape.envelope,
      count: shape.place === null ? 0 : countOf(shape.place, records()),
      records,
      rows: (look) => {
        ahead.delete(targetText(target));
        return rowsOf(answer, page, shape.place, look);
      },
      close: () => {
        ahead.delete(targetText(target));
        close(answer);
      },
    };
  }

  return {
    ask: async (target: Target): Promise<Page | NoPage> => {
      const key = targetText(target);
      const known = ahead.get(key);
      if (known !== undefined) return known;
      const maxBytes = Math.max(1, bounds.maxBytes - bytes);
      const understood: { page?: PageAnswer } = {};
      const faultIn: FaultIn = (answer) => {
        understood.page = understand(answer);
        const { failure } = understood.page;
        return failure === undefined ? null : nameOf(failure);
      };
      const reply = await client.get(target, { ...bounds, maxBytes, faultIn });
      if (reply.kind === 'refusal') return refusedPage(reply, target, understood.page?.failure);
      open.add(reply);
      bytes += reply.body?.bytes ?? 0;
      const page = pageOf(reply, target, understood.page ?? understand(reply));
      if (page.kind === 'page') ahead.set(key, page);
      return page;
    },
    calls: (): readonly RawRow[] => pending.splice(0),
    at: () => at,
    /** The keys that the records of a map share. */
    keys: () => keys,
    /** Pages, and records in all rows, so far. */
    read: () => ({ pages, items }),
    [Symbol.dispose]: () => {
      for (const answer of open) close(answer);
    },
  };
}

/** The number of records of a page. They are read for it only where an entry may hold several. */
function countOf({ form, each, container }: Place, slices: Iterable<readonly unknown[]>): number {
  if (form !== 'record' && each?.form !== 'array') return container.children;
  let count = 0;
  for (const { length } of slices) count += length;
  return count;
}

/**
 * Refuses records with more fields than the source's `maxFields`. Each field may become a column, and the
 * whole run pays for a table of thousands of columns. Throws ListingError RECORD_TOO_WIDE.
 */
function checkWidth(
  records: readonly unknown[],
  { source: { maxFields }, resource }: Pick<FetchListingOptions, 'source' | 'resource'>,
): void {
  if (records.every((record) => fieldsOf(record, maxFields) <= maxFields)) return;
  const says = `A record has more than ${maxFields} fields, those of the objects in it included`;
  throw new ListingError('RECORD_TOO_WIDE', says, { resource: resource.name });
}

/** The members of a record and of the objects in it, but not of lists; counted to a little above `most`. */
function fieldsOf(record: unknown, most: number): number {
  let fields = 0;
  const open: unknown[] = [record];
  for (let next = open.pop(); next !== undefined && fields <= most; next = open.pop()) {
    if (typeof next !== 'object' || next === null || Array.isArray(next)) continue;
    const values = Object.values(next);
    fields += values.length;
    for (const value of values) if (typeof value === 'object' && value !== null) open.push(value);
  }
  return fields;
}
