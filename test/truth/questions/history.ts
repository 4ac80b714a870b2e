import type { Clocks } from '../local-time.ts';
import { cityOf, customOf, isExpected, isListed, isLoud } from '../told.ts';
import type { TruePlayer, WorldRun } from '../world.ts';
import type { Fleet, TrueRow } from './answer.ts';

/** The player of whom the page of questions asks here. Each fleet has one with this id. */
export const PLAYER = 1;

const COLUMNS = { BoxState: 'box_state', IsInstalled: 'is_installed', IsLicensed: 'is_licensed' };

/** What changed of that player, from one answered run to the next. */
export function historyOf({ source, world }: Fleet, clocks: Clocks): readonly TrueRow[] {
  const player = world.players.find(({ id }) => id === PLAYER);
  if (player === undefined) return [];
  const cellsAt = (run: WorldRun): Readonly<Record<string, string>> => {
    const day = clocks.dayOf(run.at);
    const custom = customOf(player, day);
    const marks = isExpected(player, day) ? [] : Object.entries(player.mark?.as ?? {});
    return {
      city: cityOf(player, day),
      ...(custom !== undefined && { custom_id: custom }),
      ...(!isLoud(world, run, player) && { volume: '10' }),
      ...Object.fromEntries(
        marks.map(([name, value]) => [COLUMNS[name as keyof typeof COLUMNS], String(value)]),
      ),
    };
  };
  const runs = world.runs.filter(({ how }) => how === 'asked');
  return runs.flatMap((run, index): readonly TrueRow[] => {
    const before = runs[index - 1];
    const at = { export_source: source, changed_at: { time: run.at } };
    const came = (change: string): readonly TrueRow[] => [
      { cells: { ...at, change, column_name: null, old_value: null, new_value: null } },
    ];
    const [isNow, wasThere] = [wasListed(player, run, clocks), before && wasListed(player, before, clocks)];
    // The first listing of a source may be told as one in which all came.
    if (before === undefined) return isNow ? came('added').map((row) => ({ ...row, mayLack: true })) : [];
    if (!wasThere) return isNow ? came('added') : [];
    if (!isNow) return came('removed');
    const [now, past] = [cellsAt(run), cellsAt(before)];
    return Object.keys({ ...past, ...now })
      .filter((name) => past[name] !== now[name])
      .map((name) => ({
        cells: {
          ...{ ...at, change: 'changed', column_name: name },
          ...{ old_value: past[name] ?? null, new_value: now[name] ?? null },
        },
      }));
  });
}

const wasListed = (player: TruePlayer, run: WorldRun, clocks: Clocks) =>
  isListed(player, clocks.dayOf(run.at));
