import { CallRefused } from '../api/call/call-refused.ts';
import { lackOf, mayPass, messageOf } from '../api/codes.ts';
import { createGoneProof } from '../api/contract/gone-proof.ts';
import { createSiblings } from '../api/contract/siblings.ts';
import { fetchListing } from '../api/listing.ts';
import type { ProvenClient } from '../api/proven-client.ts';
import { parseEnvelope } from '../api/records/items-path.ts';
import { ExportError } from '../errors.ts';
import type { RawRow } from '../lake/raw/raw.ts';
import type { BatchGroup } from '../run/batch.ts';
import type { Dialects } from '../run/dialects.ts';
import { failedRow } from '../run/failed-row.ts';
import { stateOfWait } from '../run/pause.ts';
import type { RawFiles } from '../run/raw-files.ts';
import {
  type ApiServices,
  CALLS_END_EARLY_MS,
  type Item,
  type ItemWait,
  type Pause,
} from '../runtime/services.ts';
import { type ResourceName, resourceNamed } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';
import { toTheSecond } from '../time.ts';
import { styleElsewhere } from './style-elsewhere.ts';

export interface AskAllOptions {
  readonly source: Source;
  readonly groups: readonly BatchGroup[];
  readonly dialects: Dialects;
  readonly files: RawFiles;
  readonly client: ProvenClient;
  /** Before which time the server wants no call for an item. */
  readonly pause: Pause;
  /** From then on the run asks for nothing. */
  readonly until: Date;
  readonly services: ApiServices;
  /** Throws where another run has taken the lease: no more calls are made then. */
  readonly stillMine: () => void;
}

interface Child extends Item {
  readonly parentId: string;
}

/**
 * Asks for every item of the groups, as many at once as the source allows, and appends the answers to the files. Gives
 * the resources for which a later pass has work: an item was not begun, for want of time or before a wait that the
 * server asks for, an item failed for a reason that may pass, or an answer has a shape that one parent's answer proves for the others. Where the API refuses the whole
 * source, or gives no usable answer for an hour, every further item is recorded as failed and no more calls are made.
 */
export async function askAll(options: AskAllOptions): Promise<ReadonlySet<ResourceName>> {
  const { source, client, services, files, pause, until } = options;
  const left = new Set<ResourceName>();
  const goneProof = createGoneProof(options);
  const elsewhere = styleElsewhere(options.dialects);
  const siblings = new Map(
    options.groups.map(({ resource }) => [resource, createSiblings(elsewhere, parentWordOf(resource))]),
  );
  let refused = pause.wasSilent ? silent(source) : undefined;

  const ask = async (item: Child): Promise<void> => {
    const { resource, parentId } = item;
    if (refused !== undefined) return files.append(resource, failedRow(parentId, refused, services.now()));
    const wait = pause.ofItem(item);
    const state = stateOfWait(wait, { now: services.now(), deadline: until, until: pause.until() });
    if (state === 'kept') {
      left.add(resource);
      return;
    }
    if (wait !== undefined && state === 'given-up')
      return files.append(resource, failedRow(parentId, tooEarly(wait), services.now()));
    const { locks, proven } = options.dialects;
    const lock = locks[resource]?.dialect;
    const form = proven?.[resource]?.dialect;
    const rows = fetchListing({
      client,
      source,
      resource: resourceNamed(resource),
      parentId,
      goneProof,
      siblings: siblings.get(resource) ?? createSiblings(),
      isShown: files.hasFound(resource),
      ...(lock && { contract: lock }),
      ...(form && { form }),
      onRecords: (records, isMended) => files.records(resource, records, isMended),
    });
    try {
      let next = await rows.next();
      while (next.done !== true) {
        if (isUnbegun(next.value)) return void left.add(resource);
        await files.append(resource, next.value);
        next = await rows.next();
      }
      const { outcome, errorCode, question, notes, envelope, contract, facts, notBefore } = next.value;
      const { items: records } = next.value;
      if (notBefore !== undefined) pause.noteItem(item, notBefore);
      if (question !== undefined) files.asks(resource, question);
      files.notes(resource, parentId, notes);
      files.says(resource, facts);
      if (outcome === 'failed' && errorCode !== null && mayPass(errorCode)) left.add(resource);
      // Sweep compares the answers that prove how the listing is built with those that cannot be understood alone.
      const isOpen = lock === undefined && form === undefined;
      const isMap = isOpen && envelope !== null && parseEnvelope(envelope)?.form === 'map';
      const lacks = isOpen && errorCode !== null && lackOf(errorCode) !== undefined;
      if (isMap || lacks) left.add(resource);
      if (contract !== null && records > 0) files.found(resource, contract);
      const missing = outcome === 'failed' && errorCode !== null && isMissing(errorCode);
      if (!missing) pause.noteAnswer();
      // What had no time, or was told when, says nothing of the one or the other.
      else if (errorCode !== 'OUT_OF_TIME' && notBefore === undefined && (await pause.noteSilence()))
        refused ??= silent(source);
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      refused ??= client.refused();
      await files.append(resource, failedRow(parentId, error, services.now()));
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
  const workers = await Promise.allSettled(Array.from({ length: callersOf(source) }, worker));
  for (const ended of workers) if (ended.status === 'rejected') throw ended.reason;
  for (const { resource } of items) left.add(resource);
  return left;
}

function parentWordOf(name: ResourceName): string | null {
  const { parent } = resourceNamed(name);
  return parent === null ? null : resourceNamed(parent).record;
}

/** The source's wait, or the end of the time, ended it before its first call. */
function isUnbegun({ errorCode, attempts, page, slice }: RawRow): boolean {
  return (errorCode === 'RATE_LIMITED' || errorCode === 'OUT_OF_TIME') && attempts + page + slice === 0;
}

/** Whether the code of a failed item says that the source gave no usable answer. */
function isMissing(code: string): boolean {
  return mayPass(code) && code !== 'GONE_UNPROVEN';
}

/** Why a source is asked for nothing more. */
function silent({ name }: Source): ExportError {
  const says = `source ${name}: the server has sent no usable answer for an hour; the run stops calling it`;
  return new ExportError({ code: 'SOURCE_SILENT', message: messageOf(says, 'SOURCE_SILENT') });
}

/** Of an item that waits for longer than the run does. */
function tooEarly({ until }: ItemWait): ExportError {
  const says = `The server asks to wait until ${toTheSecond(until)}, which is longer than the run waits for one item`;
  return new ExportError({ code: 'RATE_LIMITED', message: messageOf(says, 'RATE_LIMITED') });
}

/**
 * There are a quarter more callers than calls at once: while some look at their answers, the next calls are ready to
 * go.
 */
function callersOf({ concurrency }: Source): number {
  return concurrency + Math.ceil(concurrency / 4);
}

/** The items, all listings of one player before those of the next: a batch that is cut off has whole players. */
function* itemsOf(groups: readonly BatchGroup[]): Generator<Child> {
  const longest = Math.max(0, ...groups.map(({ parents }) => parents.length));
  for (let index = 0; index < longest; index++) {
    for (const { resource, parents } of groups) {
      const parentId = parents[index];
      if (parentId !== undefined) yield { resource, parentId };
    }
  }
}
