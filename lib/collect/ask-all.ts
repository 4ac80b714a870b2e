import { CallRefused } from '../api/call/call.ts';
import type { ProvenClient } from '../api/client.ts';
import { lackOf, mayPass, messageOf } from '../api/codes.ts';
import { provesMore } from '../api/contract/contract.ts';
import { createGoneProof } from '../api/contract/gone-proof.ts';
import { createSiblings } from '../api/contract/siblings.ts';
import { fetchListing } from '../api/listing.ts';
import { parseEnvelope } from '../api/records/items-path.ts';
import { type PagingStyle, parsePaging } from '../config/paging-style.ts';
import { ExportError } from '../errors.ts';
import type { RawRow } from '../lake/raw/raw.ts';
import type { BatchGroup } from '../run/batch.ts';
import type { Dialects } from '../run/dialects.ts';
import { failedRow, type UnfinishedRaw } from '../run/raw-files.ts';
import { type ApiServices, CALLS_END_EARLY_MS, type Pause } from '../runtime/services.ts';
import { type ResourceName, resourceNamed } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';

/** A group of a batch, and the file for its answers. */
export interface DueGroup extends BatchGroup {
  readonly raw: UnfinishedRaw;
}

export interface AskAllOptions {
  readonly source: Source;
  readonly groups: readonly DueGroup[];
  readonly dialects: Dialects;
  readonly client: ProvenClient;
  /** Holds back calls while the server wants a wait. */
  readonly pause: Pause;
  /** After this time the run sends no request. */
  readonly until: Date;
  readonly services: ApiServices;
  /** Throws where another run has taken the lease; then no more calls are made. */
  readonly stillMine: () => void;
}

interface Child extends Pick<DueGroup, 'resource' | 'raw'> {
  readonly parentId: string;
}

/**
 * Requests every item of the groups and appends the answers to the groups' files. It runs as many calls at once as
 * the source allows. Returns the resources for which a later pass has work:
 * - an item was not begun, because time ran out or the server wants a wait;
 * - an item failed for a reason that may pass;
 * - another parent's answer may prove the shape of an answer.
 * Where the API refuses the whole source, or is silent for an hour, every further item is recorded as failed.
 */
export async function askAll(options: AskAllOptions): Promise<ReadonlySet<ResourceName>> {
  const { source, client, services, pause, until } = options;
  const left = new Set<ResourceName>();
  const goneProof = createGoneProof(options);
  const elsewhere = styleElsewhere(options.dialects);
  const siblings = new Map(
    options.groups.map(({ resource }) => [resource, createSiblings(elsewhere, parentWordOf(resource))]),
  );
  let refused = pause.wasSilent ? silent(source) : undefined;

  const ask = async ({ resource, raw, parentId }: Child): Promise<void> => {
    if (refused !== undefined) return raw.append(failedRow(parentId, refused, services.now()));
    const { locks, proven } = options.dialects;
    const form = proven?.[resource]?.dialect;
    const former = locks[resource]?.dialect;
    const lock = former && form && provesMore(form, former) ? { ...former, ...form } : former;
    const rows = fetchListing({
      client,
      source,
      resource: resourceNamed(resource),
      parentId,
      goneProof,
      siblings: siblings.get(resource) ?? createSiblings(),
      shown: raw.shown,
      ...(lock && { contract: lock }),
      ...(form && { form }),
      onRecords: raw.keys.add,
    });
    try {
      let next = await rows.next();
      while (next.done !== true) {
        if (isUnbegun(next.value)) return void left.add(resource);
        await raw.append(next.value);
        next = await rows.next();
      }
      const { outcome, errorCode, question, notes, envelope, contract, facts, notBefore } = next.value;
      const { items: records } = next.value;
      if (notBefore !== undefined) pause.noteOfOne(notBefore);
      if (question !== undefined) raw.questions.add(question);
      raw.notes.add(parentId, notes);
      raw.facts.add(facts);
      const mayComeLater = outcome === 'failed' && errorCode !== null && mayPass(errorCode);
      if (mayComeLater) left.add(resource);
      // Sweep uses answers that prove how the listing is built to read those that prove nothing.
      const isOpen = lock === undefined && form === undefined;
      const isMap = isOpen && envelope !== null && parseEnvelope(envelope)?.form === 'map';
      const lacks = isOpen && errorCode !== null && lackOf(errorCode) !== undefined;
      // It asks those again whose one answer was full before anybody knew of pages.
      const isPaged = contract?.firstPage !== undefined && contract.pageSize !== undefined;
      if (isMap || lacks || (isPaged && provesMore(contract, lock ?? form))) left.add(resource);
      if (contract !== null && records > 0) raw.found(contract);
      // GONE_UNPROVEN is a usable answer; the other failures that may pass are none.
      if (!mayComeLater || errorCode === 'GONE_UNPROVEN') pause.noteAnswer();
      // An item that ran out of time, or has to wait, does not show that the source is silent.
      else if (errorCode !== 'OUT_OF_TIME' && notBefore === undefined && (await pause.noteSilence()))
        refused ??= silent(source);
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      refused ??= client.refused();
      await raw.append(failedRow(parentId, error, services.now()));
    }
    services.onProgress({ stage: 'collect', source: source.name, done: 1 });
  };

  const mayGoOn = (): boolean =>
    services.timeLeft() > CALLS_END_EARLY_MS &&
    services.now() < until &&
    !client.mustWait() &&
    !pause.isGivenUp() &&
    !client.isInVain();
  const items = itemsOf(options.groups);
  const worker = async (): Promise<void> => {
    while (mayGoOn()) {
      options.stillMine();
      const next = items.next();
      if (next.done === true) return;
      await ask(next.value);
    }
  };
  // One caller more for each four calls: it has the next call ready while others read their answers.
  const callers = source.concurrency + Math.ceil(source.concurrency / 4);
  const workers = await Promise.allSettled(Array.from({ length: callers }, worker));
  for (const ended of workers) if (ended.status === 'rejected') throw ended.reason;
  for (const { resource } of items) left.add(resource);
  return left;
}

function parentWordOf(name: ResourceName): string | null {
  const { parent } = resourceNamed(name);
  return parent === null ? null : resourceNamed(parent).record;
}

/** True where the row ended before its first call, because of a wait or the end of the time. */
function isUnbegun({ errorCode, attempts, page, slice }: RawRow): boolean {
  return (errorCode === 'RATE_LIMITED' || errorCode === 'OUT_OF_TIME') && attempts + page + slice === 0;
}

/** The error for a source that is called no more. */
function silent({ name }: Source): ExportError {
  const says = `source ${name}: the server has sent no usable answer for an hour; the run stops calling it`;
  return new ExportError({ code: 'SOURCE_SILENT', message: messageOf(says, 'SOURCE_SILENT') });
}

/** All listings of a player come before those of the next, so a cut-off batch has whole players. */
function* itemsOf(groups: readonly DueGroup[]): Generator<Child> {
  const longest = Math.max(0, ...groups.map(({ parents }) => parents.length));
  for (let index = 0; index < longest; index++) {
    for (const { resource, raw, parents } of groups) {
      const parentId = parents[index];
      if (parentId !== undefined) yield { resource, raw, parentId };
    }
  }
}

/** The numbered paging by which the run read another listing of the source to its end; null if none. */
function styleElsewhere({ resources, locks }: Dialects): PagingStyle | null {
  for (const { dialect } of [...Object.values(resources), ...Object.values(locks)]) {
    const style = dialect?.pageSize === undefined ? null : parsePaging(dialect.paging);
    if (style !== null && dialect?.firstPage !== undefined && style.name !== 'range')
      return { ...style, start: dialect.firstPage };
  }
  return null;
}
