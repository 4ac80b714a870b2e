import type { Exported } from './exported.ts';
import { daysOf, playersOf } from './fleet.ts';
import { cityOf } from './told.ts';
import { type Figures, HOURS, type Page } from './truth-lab.ts';

const EPSILON = 0.002;

/** Whether each player of the last listings is in a place with opening hours. */
function isOpenEverywhere({ worlds = [] }: Exported, { clocks }: Figures): boolean {
  return worlds.every((world) => {
    const days = daysOf(world, clocks);
    const date = days.findLast(({ at }) => at !== undefined)?.date ?? '';
    return playersOf(world, days).every(({ player }) =>
      HOURS.some(({ group }) => group === cityOf(player, date)),
    );
  });
}

/**
 * The shares over 28 days, the worst first: of places, or of groups if some have no hours. Their days are judged by
 * themselves.
 */
export function checkPlaces(
  { tables }: Page['data'],
  exported: Exported,
  figures: Figures,
  say: (text: string) => void,
): void {
  const days = figures.views.availability.filter(({ period }) => period === 'day');
  const hasPlace = days.some((row) => row['level'] === 'place');
  const level = isOpenEverywhere(exported, figures) && hasPlace ? 'place' : 'group';
  const byPlace = Map.groupBy(
    days.filter((row) => row['level'] === level),
    (row) => `${row['export_source']} ${row['key']}`,
  );
  const shares = [...byPlace.values()].flatMap((own) => {
    const hours = sumOf(own, (row) => Number(row['judged_hours']));
    const on = sumOf(own, (row) => Number(row['judged_hours']) * Number(row['availability']));
    return hours > 0 ? [on / hours] : [];
  });
  const wanted = shares.toSorted((a, b) => a - b).slice(0, 10);
  const table = tables.find(({ id }) => id === 'places');
  const place = table?.columns.findIndex(({ label }) => label === 'On') ?? -1;
  const told = (table?.rows ?? []).map((row) => Number(row[place]));
  const isTrue =
    told.length === wanted.length &&
    told.every((each, index) => Math.abs(each - (wanted[index] ?? 0)) <= EPSILON);
  if (!isTrue) say(`the worst places were on for ${told.join()}, and for ${wanted.join()} in truth`);
}

type Row = Readonly<Record<string, unknown>>;

const sumOf = (rows: readonly Row[], figure: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + figure(row), 0);
