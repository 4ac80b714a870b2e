import { lackOf } from '../api/codes.ts';
import type { Contract } from '../api/contract/contract.ts';
import { listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { rawIndexAt } from '../lake/raw/raw-file.ts';
import type { ResourceName } from '../sources/resources.ts';

/** The parents with a latest answer, up to a pass, that lacks what the dialect proves. */
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
    for (const { parentId, outcome, errorCode } of rows) {
      if (parentId === null || outcome === null) continue;
      const lack = errorCode === null ? undefined : lackOf(errorCode);
      if (lack !== undefined && dialect[lack] !== undefined) unproven.add(parentId);
      else unproven.delete(parentId);
    }
  }
  return [...unproven];
}
