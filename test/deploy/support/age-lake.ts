import { expect } from 'vitest';
import { lakeKey } from '#lib/lake/keys.ts';
import { ConditionFailed, type Lake } from '#lib/lake/lake.ts';
import { DAY_MS } from '#lib/time.ts';

/** Makes the lease end soon, so that the next stage must renew it. It does nothing while a stage writes the lease. */
export async function shortenLease(lake: Lake): Promise<void> {
  const stored = await lake.read(lakeKey('lease'));
  if (stored === undefined) return;
  const lease = JSON.parse(stored.bytes.toString('utf8'));
  if (lease.released) return;
  const until = new Date(Date.now() + 60_000).toISOString();
  const bytes = Buffer.from(JSON.stringify({ ...lease, until }));
  await lake.write(lakeKey('lease'), bytes, { match: stored.etag }).catch((error) => {
    if (!(error instanceof ConditionFailed)) throw error;
  });
}

/** Changes the committed head behind the back of everybody. */
export async function changeHead<Head>(lake: Lake, change: (head: Head) => Partial<Head>): Promise<void> {
  const stored = await lake.read(lakeKey('head'));
  if (stored === undefined) throw new Error('Nothing is committed yet.');
  const head = JSON.parse(stored.bytes.toString('utf8'));
  const bytes = JSON.stringify({ ...head, ...change(head) });
  await lake.write(lakeKey('head'), Buffer.from(bytes), { match: stored.etag });
}

type Aging = readonly { readonly at: string }[];

/** Makes the files and months that the committed head has released two days older than they are. */
export async function ageReleased(lake: Lake): Promise<void> {
  const aged = (released: Aging) =>
    released.map((each) => ({ ...each, at: new Date(Date.parse(each.at) - 2 * DAY_MS).toISOString() }));
  await changeHead<{ released: Aging; releasedMonths: Aging }>(lake, ({ released, releasedMonths }) => {
    expect(released.length * releasedMonths.length).toBeGreaterThan(0);
    return { released: aged(released), releasedMonths: aged(releasedMonths) };
  });
}
