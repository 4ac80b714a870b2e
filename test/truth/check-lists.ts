import { type Day, daysOf } from './check-goods.ts';
import { screenAt } from './findings-oracle.ts';
import { pendingAt } from './goods.ts';
import { heardAt, isListed, silencesOf } from './told.ts';
import { type Figures, sourceOf } from './truth-lab.ts';
import { HOUR_MS, type World } from './world.ts';

type Row = Readonly<Record<string, unknown>>;
type Say = (text: string) => void;

const EPSILON = 0.002;
const SILENT_HOURS = 8;

/** What the lists of players and screens, of now and of each day, say of a world that is not true. */
export function listFaults(world: World, { clocks, views }: Figures): readonly string[] {
  const faults: string[] = [];
  const own = (rows: readonly Row[]) => rows.filter((row) => row['export_source'] === sourceOf(world));
  const days = daysOf(world, clocks);
  for (const [index, { date }] of days.entries()) {
    const ofDay = (rows: readonly Row[]) => own(rows).filter((row) => row['export_date'] === date);
    const until = { world, days: days.slice(0, index + 1) };
    const say: Say = (text) => faults.push(`${date}: ${text}`);
    checkPlayers(ofDay(views.playerDays), until, say);
    checkScreens(ofDay(views.screenDays), until, say);
  }
  const now: Say = (text) => faults.push(`now: ${text}`);
  checkPlayers(own(views.health), { world, days }, now);
  checkScreens(own(views.status), { world, days }, now);
  checkChildren(own(views.health), { world, days }, now);
  return faults;
}

/** The days of a source up to that of a list. */
interface UntilDay {
  readonly world: World;
  readonly days: readonly Day[];
}

/** The players of the last listing. */
function listedIn({ world, days }: UntilDay): World['players'] {
  const last = days.findLast(({ at }) => at !== undefined);
  return world.players.filter((player) => last !== undefined && isListed(player, last.date));
}

/** Nobody knows how a player is on a day whose runs were all refused. */
function checkPlayers(rows: readonly Row[], until: UntilDay, say: Say): void {
  const at = until.days.at(-1)?.at;
  const listed = listedIn(until);
  if (rows.length !== listed.length) say(`${listed.length} players are listed, and ${rows.length} are told`);
  for (const player of listed) {
    const row = rows.find((each) => each['player_id'] === String(player.id));
    const hours = at === undefined ? 0 : (at - heardAt(silencesOf(player), at)) / HOUR_MS;
    const health = at === undefined ? 'unknown' : hours > SILENT_HOURS ? 'offline' : 'online';
    if (row?.['health'] !== health) say(`player ${player.id} is ${health}, and ${row?.['health']} is told`);
    if (at !== undefined && Math.abs(Number(row?.['offline_hours']) - hours) > EPSILON)
      say(`player ${player.id} was seen ${hours} h ago, and ${row?.['offline_hours']} are told`);
  }
}

/** A screen that no run of the day read is unknown; one that none ever read is not there. */
function checkScreens(rows: readonly Row[], until: UntilDay, say: Say): void {
  const readIn = (days: readonly Day[], id: number) =>
    days.flatMap(({ runs }) => runs).findLast(({ denied }) => !denied.includes(id))?.at;
  const screens = listedIn(until).flatMap((player) =>
    readIn(until.days, player.id) === undefined
      ? []
      : player.screens.map((screen) => {
          const at = readIn(until.days.slice(-1), player.id);
          const state = at === undefined ? 'unknown' : screenAt(player, screen, at).state;
          return { key: `${player.id}/${screen.id}`, state };
        }),
  );
  if (rows.length !== screens.length) say(`${screens.length} screens are known, and ${rows.length} are told`);
  for (const { key, state } of screens) {
    const told = rows.find((row) => row['screen'] === key)?.['state'];
    if (told !== state) say(`screen ${key} is ${state}, and ${told} is told`);
  }
}

/** Each player has its own screens and transfers, or none is told where its listing was not answered. */
function checkChildren(rows: readonly Row[], until: UntilDay, say: Say): void {
  const { at, date = '', runs = [], isPartial = true } = until.days.at(-1) ?? {};
  for (const { id, screens } of listedIn(until)) {
    const row = rows.find((each) => each['player_id'] === String(id));
    const isRead = runs.some(({ denied }) => !denied.includes(id));
    const pending = pendingAt(until.world, at ?? 0, date).filter(({ player }) => player === id).length;
    for (const [column, count, isKnown] of [
      ['screens', screens.length, isRead],
      ['pending_transfers', pending, at !== undefined],
    ] as const) {
      const told = row?.[column] ?? null;
      // What no whole run asked is told as not known where there is none.
      const isRight =
        told === null ? !isKnown || (isPartial && count === 0) : isKnown && Number(told) === count;
      if (!isRight) say(`player ${id} has ${isKnown ? count : 'unknown'} ${column}, and ${told} are told`);
    }
  }
}
