import { ExportError } from '../errors.ts';
import type { RunId } from '../run-id.ts';
import { firstKey, lakeKey } from './keys.ts';
import type { Lake } from './lake.ts';

/**
 * Throws STATE_LOST where a lake has no head, but files of an unknown run: a new run would hide that history. A
 * start is refused next to a copy of the state, too. A killed first run is known, because it wrote its record
 * first. The oldest run with raw answers may start where no table is there: it makes the history again. Only the
 * oldest run is checked, which comes first in each folder.
 */
export async function refuseLostState(lake: Lake, starts?: RunId): Promise<undefined> {
  const found: string[] = [];
  for (const [kind, name] of [
    ['raw', 'raw answers'],
    ['table', 'files of tables'],
  ] as const) {
    const runId = (await firstKey(lake, kind))?.runId;
    if (kind === 'raw' && runId === starts) continue;
    if (runId !== undefined && (await lake.read(lakeKey('runConfig', { runId }))) === undefined)
      found.push(`${name} of run ${runId}`);
  }
  // A commit writes this copy after its head. On AWS no stage but start has the right to read it here.
  if (starts !== undefined && found.length === 0 && (await lake.read(lakeKey('stateCopy'))) !== undefined)
    found.push('a copy of the state of its last commit');
  // A commit may have come during the check. Then raw may be gone, and the record with it.
  if (found.length === 0 || (await lake.read(lakeKey('head'))) !== undefined) return undefined;
  throw new ExportError({
    code: 'STATE_LOST',
    message: `${lake.name} has ${found.join(' and ')}, but its state/ is lost: no head says which files make up the tables. A run would begin a new history beside them. Put state/ back from a copy, or let \`recover\` make a head from what is left; or, to begin again, move raw/, tables/ and state-copy/ away or name another lake with --lake.`,
  });
}
