import { type ViewFile, withReadViews } from '../views/view-file.ts';
import { PRICES } from './prices.ts';

export interface ViewScan {
  readonly view: string;
  /** Bytes that Athena scans, as it counts them. */
  readonly bytes: number;
  readonly usd: number;
}

/**
 * The most that Athena may scan for each view: the whole files of all tables that its SQL reads, directly or
 * through other views. `bytesOf` returns a table's bytes by its name.
 */
export function viewScans(
  views: readonly ViewFile[],
  bytesOf: ReadonlyMap<string, number>,
): readonly ViewScan[] {
  return views.map((view) => {
    const read = new Set(withReadViews(view, views).flatMap(({ reads }) => [...reads]));
    const scanned = [...read].reduce((sum, table) => sum + (bytesOf.get(table) ?? 0), 0);
    const bytes = Math.max(PRICES.athenaLeastBytes, scanned);
    return { view: view.name, bytes, usd: (bytes / 1e12) * PRICES.athenaTb };
  });
}
