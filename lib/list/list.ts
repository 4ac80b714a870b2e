import { mayPass } from '../api/codes.ts';
import { sourceNamed } from '../config/source-named.ts';
import { readHead } from '../lake/head.ts';
import { OBJECTS_AT_ONCE } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { listKeys } from '../lake/list-keys.ts';
import { type BatchPlace, readBatch, readParents, readTurn, writeBatches } from '../run/batch.ts';
import { batchWidth, cutBatches, firstBatch } from '../run/cut-batches.ts';
import { type Dialects, locksOf, readDialects, writeDialects } from '../run/dialects.ts';
import { holdLease } from '../run/keep-lease.ts';
import { keepPause, secondsLeft, stateOfWait } from '../run/pause.ts';
import { type ListEvent, type ListWork, NOTHING_NOW } from '../run/payloads.ts';
import { asksUntil, readAttempt } from '../run/run-record.ts';
import { type ApiServices, CALLS_END_EARLY_MS } from '../runtime/services.ts';
import { sideBySide } from '../side-by-side.ts';
import { childrenOf, type Resource, topLevelResources } from '../sources/resources.ts';
import { type ListedWhole, listWhole } from './list-whole.ts';
import { listingPass } from './listing-pass.ts';
import { notedAgain } from './noted-again.ts';

/** How often a failing listing is called. No sweep calls it again, and its whole source would be missing. */
const ROUNDS = 3;

/** A new call of list does not know the last call's time. This wait keeps both out of one window of 10 s. */
const WINDOW_SECONDS = 11;

/** Enough to see how the server answers for a deleted player. */
const UNLISTED_KEPT = 100;

/**
 * Calls a source's top-level listings, puts the answers into raw, and cuts the listed parents into batches. A
 * failed listing is recorded in raw, and its children are left out. A listing in raw is called again only if
 * it failed, or was denied before a repair. It waits until the time that its server names.
 */
export async function listSource(event: ListEvent, services: ApiServices): Promise<ListWork> {
  const { lake } = services;
  const record = await readAttempt(lake, event);
  await using lease = await holdLease(record, services);
  const source = sourceNamed(record.config, event.source);
  const head = (await readHead(lake))?.head;
  const locks = locksOf(head, source.name);
  await using pause = await keepPause(lake, event, services.now);
  let known: Dialects = { ...(await readDialects(lake, event)), locks };
  let written: Promise<void> = Promise.resolve();
  let isNoted = false;

  /** Each write contains the one before, so they go one after the other. */
  const note = (more: Partial<Dialects>): Promise<void> => {
    isNoted = true;
    known = { ...known, ...more };
    const dialects = known;
    written = written.then(() => writeDialects(lake, event, dialects));
    return written;
  };

  const waitOfAll = () => (pause.isGivenUp() ? undefined : pause.until());
  const waitOf = (resource: Resource) => pause.ofItem({ resource: resource.name, parentId: null });
  const stateOf = (resource: Resource) =>
    stateOfWait(waitOf(resource), {
      now: services.now(),
      deadline: asksUntil(record),
      until: waitOfAll(),
    });

  const cutFor = async (resource: Resource, parents: readonly string[]) => {
    const all = [...parents];
    const groups = childrenOf(resource.name).map(({ name }) => ({
      resource: name,
      failures: 0,
      parents: all,
    }));
    const parts = cutBatches(source, groups);
    const batches = await writeBatches(lake, { ...event, pass: 0 }, parts);
    return { pass: 0, batches, first: firstBatch(parts, await readTurn(lake, source.name)) };
  };

  /** True where an earlier attempt cut batches of parents, and state/ has lost some of them. */
  const lacksBatches = async (children: readonly Resource[]): Promise<boolean> => {
    if (children.length === 0 || known.batches === 0 || known.pass > 0) return false;
    let count = 0;
    for await (const _ of listKeys(lake, 'batch', { ...event, pass: 0 })) count++;
    return count < known.batches;
  };

  const noteAgain = async (resource: Resource): Promise<void> => {
    const { runId } = event;
    const again = await notedAgain(lake, { runId, source, resource, lock: locks[resource.name] });
    const hasChildren = childrenOf(resource.name).length > 0 && again.parents !== undefined;
    const cut = hasChildren ? await cutFor(resource, again.parents) : {};
    // A repair has cut its own batches, of a later pass.
    await note({
      ...(known.pass === 0 && cut),
      resources: { ...known.resources, [resource.name]: again.found },
    });
  };

  /** True where it failed for a reason that may pass. */
  const list = async (resource: Resource): Promise<boolean> => {
    const place = { ...event, resource: resource.name };
    const pass = hasRaw ? await listingPass(lake, place, { isRepair: record.isRepair }) : 0;
    const children = childrenOf(resource.name);
    if (
      pass === undefined &&
      (known.resources[resource.name] === undefined || (await lacksBatches(children)))
    )
      await noteAgain(resource);
    if (pass === undefined && children.length > 0) {
      const items = await batchedItems(lake, { ...event, ...known });
      services.onProgress({ stage: 'kept', source: source.name, items, done: 0 });
    }
    if (pass === undefined) return false;
    if (stateOf(resource) !== 'over') return stateOf(resource) === 'kept';
    lease.check();
    const former = async () => (children.length === 0 ? [] : await readParents(lake, source.name));
    let items: number | undefined;
    const prepare = async ({ found, ids, files }: ListedWhole) => {
      // An earlier answer that was in vain may have cut batches.
      let cut = items === undefined ? {} : await cutFor(resource, []);
      let unlisted: readonly string[] = [];
      items = undefined;
      if (children.length > 0 && ids !== undefined) {
        unlisted = found.isWhole ? [] : (await former()).filter((id) => !ids.has(id));
        const parents = [...ids, ...unlisted];
        items = parents.length * children.length;
        cut = await cutFor(resource, parents);
      }
      const minutesAhead = services.client(source, { width: 1, pause }).minutesAhead();
      const noted = {
        ...found,
        ...(unlisted.length > 0 && { unlisted: unlisted.slice(0, UNLISTED_KEPT) }),
        ...(minutesAhead !== undefined && { minutesAhead }),
      };
      files.listed(resource.name, noted);
      await files.close(resource.name, 0);
      await note({ ...cut, resources: { ...known.resources, [resource.name]: noted } });
    };
    await using listed = await listWhole({
      source,
      resource,
      services,
      pause,
      lock: locks[resource.name],
      former,
      prepare,
    });
    const { files, last, notBefore } = listed;
    if (notBefore !== undefined) pause.noteItem({ resource: resource.name, parentId: null }, notBefore);
    if (items !== undefined) services.onProgress({ stage: 'listed', source: source.name, items });
    if (last.outcome !== 'failed') pause.noteAnswer();
    // Raw is written last. Where raw holds a listing, its batches and its dialect are there too.
    await files.put(resource.name, lakeKey('raw', { ...place, pass, batch: 0 }));
    return last.outcome === 'failed' && last.errorCode !== null && mayPass(last.errorCode);
  };
  let hasRaw = await hasAny(listKeys(lake, 'raw', { runId: event.runId, source: source.name }));
  let left = topLevelResources(source.kind);
  for (
    let round = 1;
    left.length > 0 && round <= ROUNDS && services.timeLeft() > CALLS_END_EARLY_MS;
    round++
  ) {
    const mayBeHad = await sideBySide(left, left.length, list);
    hasRaw = true;
    left = left.filter((_, index) => mayBeHad[index] === true);
    if (left.every((resource) => stateOf(resource) !== 'over')) break;
  }
  // An earlier attempt noted everything except the current locks.
  if (!isNoted && Object.keys(known.resources).length > 0) await note({});
  const waiting = left.filter((resource) => stateOf(resource) === 'kept');
  const count = pause.isGivenUp() ? 0 : known.batches;
  const batches = Array.from({ length: count }, (_, batch) => (batch + (known.first ?? 0)) % count);
  const waitSeconds = Math.max(
    waiting.length > 0 ? WINDOW_SECONDS : 0,
    ...[waitOfAll(), ...waiting.map((resource) => waitOf(resource)?.until)].map((until) =>
      secondsLeft(until, services.now()),
    ),
  );
  return {
    ...{ pass: known.pass, width: batchWidth(source), batches, again: waiting.length > 0, waitSeconds },
    now: waitSeconds > 0 ? [NOTHING_NOW] : batches,
  };
}

async function hasAny(found: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _ of found) return true;
  return false;
}

/** The number of items that an earlier attempt put into the first batches of collect. */
async function batchedItems(
  lake: Lake,
  { batches, ...place }: BatchPlace & { readonly batches: number },
): Promise<number> {
  let items = 0;
  await sideBySide(
    Array.from({ length: batches }, (_, batch) => batch),
    OBJECTS_AT_ONCE,
    async (batch) => {
      for (const { parents } of await readBatch(lake, { ...place, batch })) items += parents.length;
    },
  );
  return items;
}
