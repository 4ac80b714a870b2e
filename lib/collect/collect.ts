import { ASKED_AGAIN, provenClient } from '../api/client.ts';
import { sourceNamed } from '../config/config.ts';
import { lakeKey } from '../lake/keys.ts';
import { type BatchGroup, readBatch } from '../run/batch.ts';
import { type Dialects, readDialects } from '../run/dialects.ts';
import { holdLease } from '../run/keep-lease.ts';
import { keepPause } from '../run/pause.ts';
import { type CollectEvent, type Collected, collectEvent, type Left } from '../run/payloads.ts';
import { openRaw, readLeft } from '../run/raw-files.ts';
import { asksUntil, readAttempt } from '../run/run-record.ts';
import type { ApiServices } from '../runtime/services.ts';
import { askAll, type DueGroup } from './ask-all.ts';

/** Requests the child listings of some batches of parents, one batch after the other. */
export async function collect(given: unknown, services: ApiServices): Promise<Collected> {
  const { batches, more = false, ...place } = collectEvent.parse(given);
  let left: Left = 0;
  for (const batch of batches) if ((await collectBatch({ ...place, batch }, services)) === 1) left = 1;
  return { left: left === 0 && more ? 2 : left };
}

type CollectOptions = Omit<CollectEvent, 'batches' | 'more'> & { readonly batch: number };

/**
 * Requests every child listing of a batch and puts the answers into raw, one file for each resource. Returns
 * 1 where an item was not begun in time, or failed for a reason that may pass. A listing that is already in
 * raw is not requested again.
 */
export async function collectBatch(event: CollectOptions, services: ApiServices): Promise<Left> {
  const { lake } = services;
  const record = await readAttempt(lake, event);
  await using lease = await holdLease(record, services);
  const source = sourceNamed(record.config, event.source);
  const groups = await readBatch(lake, event);

  const missing: BatchGroup[] = [];
  let left: Left = 0;
  for (const group of groups) {
    const earlier = await readLeft(lake, lakeKey('raw', { ...event, resource: group.resource }));
    if (earlier === undefined) {
      missing.push(group);
      continue;
    }
    if (earlier === 1) left = 1;
    services.onProgress({ stage: 'kept', source: source.name, items: 0, done: group.parents.length });
  }
  if (missing.length === 0) return left;

  const dialects: Dialects = await readDialects(lake, event);
  await using pause = await keepPause(lake, event, services.now);
  const until = asksUntil(record);
  const client = services.client(source, { width: event.width, pause });
  for (let isAgain = false; ; isAgain = true) {
    const proven = provenClient(client);
    const due: DueGroup[] = [];
    await using _ = {
      [Symbol.asyncDispose]: async () => {
        for (const { raw } of due) await raw[Symbol.asyncDispose]();
      },
    };
    for (const group of missing) due.push({ ...group, raw: await openRaw(lake) });
    const leftOf = await askAll({
      source,
      groups: due,
      dialects,
      services,
      pause,
      until,
      client: proven,
      stillMine: lease.check,
    });
    if (leftOf.size > 0 && services.now() >= until) pause.noteLate();
    // The connections rest meanwhile.
    for (const { resource, parents, raw } of due) {
      if (isAgain && client.unasked() > 0)
        for (const parentId of parents) raw.notes.add(parentId, [ASKED_AGAIN]);
      await raw.close(leftOf.has(resource) ? 1 : 0);
    }
    if (!(await proven.isProven())) continue;
    for (const { resource, raw } of due) await raw.put(lakeKey('raw', { ...event, resource }));
    return leftOf.size > 0 ? 1 : left;
  }
}
