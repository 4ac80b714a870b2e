import { mayPass } from '../api/codes.ts';
import { sourceNamed } from '../config/config.ts';
import { readHead } from '../lake/head.ts';
import { OBJECTS_AT_ONCE } from '../lake/json-object.ts';
import { lakeKey, listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import type { RawRow } from '../lake/raw/raw.ts';
import { type BatchPlace, readBatch, readParents, readTurn, writeBatches } from '../run/batch.ts';
import { batchesOfFirstCall, batchWidth, cutBatches, firstBatch } from '../run/cut-batches.ts';
import { type Dialects, type FoundDialect, locksOf, readDialects, writeDialects } from '../run/dialects.ts';
import { holdLease } from '../run/keep-lease.ts';
import { keepPause, secondsLeft } from '../run/pause.ts';
import { type ListWork, listEvent } from '../run/payloads.ts';
import { hasRaw } from '../run/raw-of-run.ts';
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

/** An answer that is not in raw yet. */
interface Answer {
  readonly resource: Resource;
  readonly pass: number;
  readonly listed: ListedWhole;
  readonly found: FoundDialect;
  /** Whose children are requested; undefined where it lists none. */
  readonly parents: readonly string[] | undefined;
}

/**
 * Calls a source's top-level listings, puts the answers into raw, and cuts the listed parents into batches. A
 * failed listing is recorded in raw, and its children are left out. A listing in raw is called again only if
 * it failed, or was denied before a repair. It waits until the time that its server names.
 */
export async function list(given: unknown, services: ApiServices): Promise<ListWork> {
  const event = listEvent.parse(given);
  const { lake } = services;
  const record = await readAttempt(lake, event);
  await using lease = await holdLease(record, services);
  const source = sourceNamed(record.config, event.source);
  const locks = locksOf((await readHead(lake))?.head, source.name);
  await using pause = await keepPause(lake, event, services.now);
  let known: Dialects = { ...(await readDialects(lake, event)), locks };
  let written: Promise<void> = Promise.resolve();
  let isNoted = false;
  /** Dialects are noted before all else. So without them, the lake has nothing of the source from this attempt. */
  const isFirst = record.isNew === true && Object.keys(known.resources).length === 0;

  /** Each write contains the one before, so they go one after the other. */
  const note = (more: Partial<Dialects>): Promise<void> => {
    isNoted = true;
    known = { ...known, ...more, resources: { ...known.resources, ...more.resources } };
    const dialects = known;
    written = written.then(() => writeDialects(lake, event, dialects));
    return written;
  };

  const waitOfAll = () => (pause.isGivenUp() ? undefined : pause.until());
  /** over: a listing may be requested. given-up: the run does not wait so long. */
  const stateOfWait = () => {
    const until = pause.until();
    if (until === undefined || until <= services.now()) return 'over';
    return pause.isGivenUp() || until >= asksUntil(record) ? 'given-up' : 'kept';
  };

  const cutFor = async (resource: Resource, parents: readonly string[]) => {
    const all = [...parents];
    const groups = childrenOf(resource.name).map(({ name }) => ({
      resource: name,
      failures: 0,
      parents: all,
    }));
    const parts = cutBatches(source, groups);
    return {
      parts,
      pass: 0,
      batches: parts.length,
      first: firstBatch(parts, await readTurn(lake, source.name)),
    };
  };

  /** True where an earlier attempt cut batches of parents, and state/ has lost some of them. */
  const lacksBatches = async (children: readonly Resource[]): Promise<boolean> => {
    if (children.length === 0 || known.batches === 0 || known.pass > 0) return false;
    let count = 0;
    for await (const _ of listKeys(lake, 'batch', { ...event, pass: 0 })) count++;
    return count < known.batches;
  };

  /** Notes listings, then writes the batches of their children. */
  const noteAll = async (
    answers: readonly Pick<Answer, 'resource' | 'found' | 'parents'>[],
  ): Promise<void> => {
    const resources = Object.fromEntries(answers.map(({ resource, found }) => [resource.name, found]));
    const listed = answers.find(({ parents }) => parents !== undefined);
    if (listed?.parents === undefined) return await note({ resources });
    const { parts, ...cut } = await cutFor(listed.resource, listed.parents);
    await note({ ...cut, resources });
    await writeBatches(lake, { ...event, pass: 0 }, parts, { isFirst });
  };

  const noteAgain = async (resource: Resource): Promise<void> => {
    const { found, parents } = await notedAgain(lake, { runId: event.runId, source, resource });
    // A repair has cut its own batches, of a later pass.
    const isCut = childrenOf(resource.name).length > 0 && known.pass === 0;
    await noteAll([{ resource, found, parents: isCut ? parents : undefined }]);
  };

  /** The pass in which the listing is due; undefined where raw has a good answer. */
  const dueIn = async (resource: Resource): Promise<number | undefined> => {
    if (!isInRaw) return 0;
    const place = { ...event, resource: resource.name };
    const pass = await listingPass(lake, place, { isRepair: record.isRepair });
    if (pass !== undefined) return pass;
    const children = childrenOf(resource.name);
    if (known.resources[resource.name] === undefined || (await lacksBatches(children)))
      await noteAgain(resource);
    if (children.length > 0) {
      const items = await batchedItems(lake, { ...event, ...known });
      services.onProgress({ stage: 'kept', source: source.name, items, done: 0 });
    }
    return undefined;
  };

  const ask = async (resource: Resource, pass: number): Promise<Answer> => {
    lease.check();
    const children = childrenOf(resource.name);
    const former = async () => (children.length === 0 ? [] : await readParents(lake, source.name));
    let prepared: Pick<Answer, 'found' | 'parents'> | undefined;
    const prepare = async ({ found, ids, raw }: ListedWhole) => {
      const isParent = children.length > 0 && ids !== undefined;
      const unlisted = isParent && !found.isWhole ? (await former()).filter((id) => !ids.has(id)) : [];
      const minutesAhead = services.client(source, { width: 1, pause }).minutesAhead();
      const noted = {
        ...found,
        ...(unlisted.length > 0 && { unlisted: unlisted.slice(0, UNLISTED_KEPT) }),
        ...(minutesAhead !== undefined && { minutesAhead }),
      };
      raw.listed(noted);
      await raw.close(0);
      prepared = { found: noted, parents: isParent ? [...ids, ...unlisted] : undefined };
    };
    const lock = locks[resource.name];
    const listed = await listWhole({ source, resource, services, pause, lock, former, prepare });
    if (prepared === undefined) throw new Error('a listing was not prepared');
    const { last, notBefore } = listed;
    // A listing without parent is worth a wait of the whole source.
    if (notBefore !== undefined) pause.note(notBefore);
    if (prepared.parents !== undefined) {
      const items = prepared.parents.length * children.length;
      services.onProgress({ stage: 'listed', source: source.name, items });
    }
    if (last.outcome !== 'failed') pause.noteAnswer();
    return { resource, pass, listed, ...prepared };
  };

  /** Asks the listings side by side. Returns those that failed for a reason that may pass. */
  const round = async (due: readonly Resource[]): Promise<readonly Resource[]> => {
    const open: AsyncDisposable[] = [];
    await using _ = { [Symbol.asyncDispose]: async () => void (await sideBySide(open, 4, closed)) };
    const waiting: Resource[] = [];
    const asked = await sideBySide(due, due.length, async (resource) => {
      const pass = await dueIn(resource);
      if (pass === undefined) return undefined;
      if (stateOfWait() === 'kept') waiting.push(resource);
      if (stateOfWait() !== 'over') return undefined;
      const answer = await ask(resource, pass);
      open.push(answer.listed);
      return answer;
    });
    const answers = asked.filter((answer) => answer !== undefined);
    if (answers.length > 0) await noteAll(answers);
    // Raw is written last. Where raw holds a listing, its batches and its dialect are there too.
    await sideBySide(answers, answers.length, ({ resource, pass, listed }) =>
      listed.raw.put(lakeKey('raw', { ...event, resource: resource.name, pass, batch: 0 })),
    );
    const failed = answers.filter((each) => mayComeLater(each.listed.last)).map(({ resource }) => resource);
    return due.filter((resource) => waiting.includes(resource) || failed.includes(resource));
  };

  let isInRaw = !isFirst && (await hasRaw(lake, { runId: event.runId, source: source.name }));
  let left: readonly Resource[] = topLevelResources(source.kind);
  for (
    let rounds = 1;
    left.length > 0 && rounds <= ROUNDS && services.timeLeft() > CALLS_END_EARLY_MS;
    rounds++
  ) {
    left = await round(left);
    isInRaw = true;
    if (stateOfWait() !== 'over') break;
  }
  // An earlier attempt noted everything except the current locks.
  if (!isNoted && Object.keys(known.resources).length > 0) await note({});
  const again = left.length > 0 && stateOfWait() === 'kept';
  const count = pause.isGivenUp() ? 0 : known.batches;
  const batches = Array.from({ length: count }, (_, batch) => (batch + (known.first ?? 0)) % count);
  const waitSeconds = Math.max(again ? WINDOW_SECONDS : 0, secondsLeft(waitOfAll(), services.now()));
  const first = waitSeconds > 0 ? 0 : batchesOfFirstCall(source, count);
  return {
    ...{ pass: known.pass, width: batchWidth(source), batches, again, waitSeconds },
    ...{ now: batches.slice(0, first), rest: batches.slice(first), more: again || count > first },
  };
}

function mayComeLater({ outcome, errorCode }: RawRow): boolean {
  return outcome === 'failed' && errorCode !== null && mayPass(errorCode);
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

const closed = async (each: AsyncDisposable) => await each[Symbol.asyncDispose]();
