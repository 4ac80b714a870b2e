import { lackOf } from '../api/codes.ts';
import type { Contract } from '../api/contract/contract.ts';
import { listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { rawIndexAt } from '../lake/raw/raw-file.ts';
import type { ResourceName } from '../sources/resources.ts';

/**
 * The parents with a latest answer, up to a pass, that lacks what the dialect proves. So does one call with as many
 * records as a page has, made before anybody knew of numbered pages.
 */
export async function unprovenParents(
  lake: Lake,
  {
    pass,
    dialect,
    ...place
  }: {
    readonly runId: string;
    readonly source: string;
    readonly resource: ResourceName;
    readonly pass: number;
    readonly dialect: Contract;
  },
): Promise<readonly string[]> {
  const files: { readonly key: string; readonly pass: number }[] = [];
  for await (const file of listKeys(lake, 'raw', place)) if (file.pass <= pass) files.push(file);
  const unproven = new Set<string>();
  for (const { key } of files.sort((a, b) => a.pass - b.pass)) {
    const { rows = [] } = (await rawIndexAt(lake, key)) ?? {};
    const read = new Map<string, { readonly calls: number; readonly items: number }>();
    for (const { parentId, slice, outcome, errorCode, items } of rows) {
      if (parentId === null) continue;
      const before = read.get(parentId) ?? { calls: 0, items: 0 };
      const now = { calls: before.calls + (slice === 0 ? 1 : 0), items: before.items + items };
      read.set(parentId, now);
      if (outcome === null) continue;
      const lack = errorCode === null ? undefined : lackOf(errorCode);
      const isFull = dialect.firstPage !== undefined && now.calls === 1 && now.items === dialect.pageSize;
      if (isFull || (lack !== undefined && dialect[lack] !== undefined)) unproven.add(parentId);
      else unproven.delete(parentId);
    }
  }
  return [...unproven];
}
