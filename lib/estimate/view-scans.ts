import { PRICES } from './prices.ts';

export interface ViewScan {
  readonly view: string;
  /** Bytes that Athena scans, as it counts them. */
  readonly bytes: number;
  readonly usd: number;
}

/**
 * The most that Athena may scan for each view: the whole files of all tables that its SQL reads. `bytesOf` gives a
 * table's bytes by its name.
 */
export function viewScans(
  views: readonly { readonly name: string; readonly sql: string }[],
  bytesOf: ReadonlyMap<string, number>,
): readonly ViewScan[] {
  return views.map(({ name, sql }) => {
    const said = sql.replaceAll(/--.*$/gm, '');
    const tables = [...bytesOf].filter(([table]) =>
      new RegExp(`\\b(from|join)\\s+${table}\\b`, 'i').test(said),
    );
    const scanned = tables.reduce((sum, [, bytes]) => sum + bytes, 0);
    const bytes = Math.max(PRICES.athenaLeastBytes, scanned);
    return { view: name, bytes, usd: (bytes / 1e12) * PRICES.athenaTb };
  });
}
