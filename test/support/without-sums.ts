import type { Lake } from '#lib/lake/lake.ts';

/** Makes the head and its copies as version 2 had them: without the sums of files, and without the lake's id. */
export async function withoutSums(lake: Lake): Promise<void> {
  for (const key of ['state/head.json', 'state/next-head.json', ...(await keptHeads(lake))]) {
    const stored = await lake.read(key);
    if (stored === undefined) continue;
    const { lake: _, ...head } = JSON.parse(stored.bytes.toString('utf8'));
    const text = JSON.stringify({ ...head, version: 2 }).replaceAll(/,"sums":\[[^\]]*\]/g, '');
    await lake.write(key, Buffer.from(text));
  }
  await lake.remove(['state-copy/lake.json', 'state-copy/state.json.gz']);
}

async function keptHeads(lake: Lake): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of lake.list('state/runs/')) if (/Z\/head\.json$/.test(key)) keys.push(key);
  return keys;
}
