import type { Exported } from './exported.ts';
import { daysOf, playersOf } from './fleet.ts';
import { GROUPED, placeOn } from './settings.ts';
import { EPSILON, type Row, type Say } from './telling.ts';
import type { Figures, Page } from './truth-lab.ts';

/** Whether each player of the last listings is in a place with opening hours. */
function isOpenEverywhere({ worlds = [] }: Exported, { clocks }: Figures): boolean {
  return worlds.every((world) => {
    const days = daysOf(world, clocks);
    const date = days.findLast(({ at }) => at !== undefined)?.date ?? '';
    return playersOf(world, days).every(({ player }) => placeOn(player, date) !== undefined);
  });
}

/**
 * The shares over 28 days, the worst first: of places, or of the first group of each fleet if some have no hours. One that was always on is
 * none of them. Their days are judged by themselves.
 */
export function checkPlaces({ tables }: Page['data'], exported: Exported, figures: Figures, say: Say): void {
  const days = figures.views.availability.filter(({ period }) => period === 'day');
  const hasPlace = days.some((row) => row['level'] === 'place');
  const level = isOpenEverywhere(exported, figures) && hasPlace ? 'place' : 'group';
  const groupOf = (row: Row) => String(row['key']).split('=')[0] ?? '';
  const firstOf = (row: Row) =>
    GROUPED.find((group) =>
      days.some((each) => each['export_source'] === row['export_source'] && groupOf(each) === group),
    );
  const byPlace = Map.groupBy(
    days.filter((row) => row['level'] === level && (level === 'place' || groupOf(row) === firstOf(row))),
    (row) => `${row['export_source']} ${row['key']}`,
  );
  const shares = [...byPlace.values()].flatMap((own) => {
    const hours = sumOf(own, (row) => Number(row['judged_hours']));
    const on = sumOf(own, (row) => Number(row['judged_hours']) * Number(row['availability']));
    const unsure = sumOf(own, (row) => Number(row['judged_hours']) * Number(row['sampling_error']));
    const unknown = sumOf(own, (row) => Number(row['unjudged_hours']));
    // The unknown hours may all be on, or all be off.
    const possible = [on - unsure, on + unsure + unknown].map((each) => each / (hours + unknown));
    const error = Math.max(...possible.map((each) => Math.abs(each - on / hours)));
    return hours > 0 ? [{ share: on / hours, error, hours }] : [];
  });
  const wanted = shares
    .map(({ share }) => share)
    .filter((share) => share < 1 - 1e-6)
    .toSorted((a, b) => a - b)
    .slice(0, 10);
  const { columns = [], rows = [] } = tables.find(({ id }) => id === 'places') ?? {};
  const [place, band, counted] = ['On', 'Possible error', 'Counted hours'].map((wantedLabel) =>
    columns.findIndex(({ label }) => label === wantedLabel),
  );
  const told = rows.map((row) => Number(row[place ?? -1]));
  for (const row of rows) {
    const [on, error, hours] = [place, band, counted].map((index) => Number(row[index ?? -1]));
    const isNear = (a: number | undefined, b: number) => Math.abs((a ?? 0) - b) <= EPSILON;
    const isTrue = shares.some(
      (each) => isNear(on, each.share) && isNear(error, each.error) && isNear(hours, each.hours),
    );
    if (!isTrue) say(`a place was on for ${on} ± ${error} of ${hours} hours, and none was in truth`);
  }
  const isTrue =
    told.length === wanted.length &&
    told.every((each, index) => Math.abs(each - (wanted[index] ?? 0)) <= EPSILON);
  if (!isTrue) say(`the worst places were on for ${told.join()}, and for ${wanted.join()} in truth`);
}

const sumOf = (rows: readonly Row[], figure: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + figure(row), 0);
