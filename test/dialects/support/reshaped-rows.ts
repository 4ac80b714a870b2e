import type { ServedResource } from '#simulator/kind.ts';
import { FIELDS, type Fields, PRICE_ROW } from '#simulator/profiles/fields.ts';
import type { Profile } from '#simulator/profiles/profile.ts';
import { recordsOf } from '#simulator/world/listing.ts';
import { canonical } from '../../simulator/canonical.ts';
import type { ExportLab } from '../../support/export-lab.ts';
import { comparabilityOf } from './comparability.ts';
import { timeOf } from './export-days.ts';

/** The keys of trees, whose arrays stay as they are. */
const TREE: Fields = { Children: 'json', Count: 'integer', Transfers: 'json' };

/**
 * How a table that lies in another shape than in reference differs from what the profile served: the records without
 * their dialect, sorted, on both sides.
 */
export async function reshapedDifference(
  lab: ExportLab,
  { profile, resource, day }: { profile: Profile; resource: ServedResource; day: number },
): Promise<{ readonly served: readonly string[]; readonly found: readonly string[] }> {
  const fields = { ...(resource === 'backup_pricing' ? PRICE_ROW : FIELDS[resource]), ...TREE };
  const served = listingsOf(lab, resource, day).flatMap((listing) =>
    [...recordsOf(profile.served(listing))].map((record) =>
      lineOf(canonical(JSON.parse(JSON.stringify(record)), fields, String)),
    ),
  );
  const date = timeOf(day).slice(0, 10);
  const { columns, types, rows } = await lab.query(
    `select * exclude (export_source, export_run_id, exported_at, export_date, record_key) from ${resource}_daily where export_date = '${date}'`,
  );
  const comparability = comparabilityOf(profile);
  const id = comparability?.renamed[resource]?.id ?? 'id';
  const found = rows.map((row) =>
    lineOf(
      Object.fromEntries(
        columns.flatMap((column, index) => {
          const name = column === id ? 'id' : column;
          const cell = cellOf(row[index], types[index] ?? '', name);
          const isOwn = column !== 'player_id' && !comparability?.added[resource]?.includes(column);
          return cell === null || cell === '' || !isOwn ? [] : [[name, cell]];
        }),
      ),
    ),
  );
  return { served: served.sort(), found: found.sort() };
}

function listingsOf(lab: ExportLab, resource: ServedResource, day: number) {
  const today = lab.simulator.world.at(day);
  const parents = resource === 'pending_file_transfers' ? [...today.playerIds()] : [undefined];
  return parents.flatMap((parent) => today.listing(resource, parent) ?? []);
}

function cellOf(cell: unknown, type: string, column: string): unknown {
  if (cell === null) return null;
  if (column === 'id' || column === 'parent_id') return String(cell);
  if (/^TIMESTAMP/.test(type)) return Date.parse(String(cell));
  return typeof cell === 'string' && /^[[{]/.test(cell) ? JSON.parse(cell) : cell;
}

const lineOf = (record: Readonly<Record<string, unknown>>) =>
  JSON.stringify(Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))));
