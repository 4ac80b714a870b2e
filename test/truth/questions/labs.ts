import { dice, hash } from '#simulator/dice.ts';
import { goodsOf } from '../goods.ts';
import { type Vault, vaultOf } from '../vault.ts';
import { FIRST_DAY, HOUR_MS, runTimes, type World, worldOf } from '../world.ts';

/** More than a month, so that days can be compared with those of a month ago. */
const DAYS = 36;
/** So many days at the beginning and at the end have all runs; of those between, every second one has none. */
const DENSE = 9;
/** A screen that has reported nothing for so long is stale. */
const SILENT_MS = 9 * HOUR_MS;
/** How long the end of the third fleet is. */
const LAST_MS = 72 * HOUR_MS;

/**
 * Three fleets and two accounts with runs at the same times. Their players, screens and storages have the same ids. The
 * screens of the first fleet say when they switched, and all outages of the second one are known. Those of the third one
 * say nothing of it: no answer is exact where a switch decides it. At its end one player is not expected, and nobody may
 * read the queue of the other.
 */
export interface QuestionLab {
  readonly worlds: readonly World[];
  readonly vaults: readonly Vault[];
}

export function questionLab(lab: number): QuestionLab {
  const times = runTimes(lab, DAYS).filter((at) => {
    const day = Math.floor((at - FIRST_DAY) / (24 * HOUR_MS));
    return day < DENSE || day >= DAYS - DENSE || day % 2 === 0;
  });
  const seeds = Array.from({ length: 400 }, (_, index) => lab * 100 + index);
  const worlds = seeds.map((seed) => worldOf(seed, times, DAYS));
  const vaults = seeds.slice(0, 100).map((seed) => vaultOf(seed, times, DAYS));
  const whole = worlds.filter(hasAllTables);
  const end = (times.at(-1) ?? 0) - LAST_MS;
  const waiting = whole.slice(2).find((world) => world.players.every(({ id }) => waits(world, id, end)));
  return {
    worlds: [...whole.slice(0, 2), ...(waiting === undefined ? [] : [endsUnread(waiting, end)])].map(
      (world, index) => {
        const own = withScreens(world, { isDated: index < 2 });
        return index === 1 ? calm(own) : index === 0 ? endsSilent(own) : own;
      },
    ),
    vaults: vaults
      .filter(({ storages, prices }) => prices.length > 0 && storages.some(isUsed))
      .toSorted((a, b) => Number(b.reservedSince !== undefined) - Number(a.reservedSince !== undefined))
      .filter((_, index, all) => index === 0 || index === all.length - 1),
  };
}

/** A table without a record has no columns to ask for. */
function hasAllTables(world: World): boolean {
  const { licenses, transfers } = goodsOf(world);
  return (
    licenses.length > 0 && transfers.some(({ isDated }) => isDated) && transfers.some((each) => each.startsAt)
  );
}

/** Whether a player waits for a file from some time on. */
function waits(world: World, player: number, since: number): boolean {
  const isThere = world.players.some(
    ({ id, comesOn, leavesOn }) => id === player && comesOn === undefined && leavesOn === undefined,
  );
  return (
    isThere &&
    goodsOf(world).transfers.some(
      (each) =>
        each.player === player &&
        Math.max(each.createdAt, each.startsAt ?? 0) < since - LAST_MS &&
        each.doneAt > since + LAST_MS,
    )
  );
}

/** The same, where the first player's queue is not read any more and the second player is deleted. */
function endsUnread(world: World, since: number): World {
  const mark = {
    as: { BoxState: 'Deleted' },
    from: new Date(since).toISOString().slice(0, 10),
    until: '9999',
  };
  return {
    ...world,
    runs: world.runs.map((run) => (run.at < since ? run : { ...run, queues: [1] })),
    players: world.players.map((player) => (player.id === 2 ? { ...player, mark } : player)),
  };
}

const isUsed = ({ slots, expiresAt }: Vault['storages'][number]) =>
  slots.length > 0 && expiresAt !== undefined;

/** The same with screens that say when they switched, or do not. In every second one the last player has no screen. */
function withScreens(world: World, { isDated }: { readonly isDated: boolean }): World {
  const players = world.players.map((player, index) => ({
    ...player,
    screens:
      index === 1 && world.seed % 2 === 0 ? [] : player.screens.map((screen) => ({ ...screen, isDated })),
  }));
  return { ...world, players };
}

/** The same where the last screen of each player went silent before the last run. */
function endsSilent(world: World): World {
  const at = world.runs.findLast(({ how }) => how === 'asked')?.at ?? 0;
  const silence = [at - SILENT_MS, Number.POSITIVE_INFINITY] as const;
  const players = world.players.map((player) => ({
    ...player,
    screens: player.screens.map((screen, place) =>
      player.speaksForScreens === true || place < player.screens.length - 1
        ? screen
        : { ...screen, silences: [...screen.silences.filter(([from]) => from < silence[0]), silence] },
    ),
  }));
  return { ...world, players };
}

/** The same where a run sees at most one switch of a screen, so all outages are known. One is off from before the first run. */
function calm(world: World): World {
  const players = world.players.map((player, index) => {
    const seen = world.runs.filter(({ how, denied }) => how === 'asked' && !denied.includes(player.id));
    const isAlone = (at: number) => !world.runs.some((run) => run.at > at && run.at < at + 2 * HOUR_MS);
    const roll = dice(hash(world.seed, 6, index));
    const screens = player.screens.map((screen, place) => ({
      ...{ ...screen, silences: [] },
      switches: seen.filter(({ at }) => isAlone(at) && roll.chance(0.8)).map(({ at }) => at + HOUR_MS),
      ...(index + place === 0 && { startsOn: false, isDated: false, switches: [] }),
    }));
    return { ...player, silences: [], mark: undefined, screens };
  });
  return { ...world, players };
}
