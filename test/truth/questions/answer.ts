import { sourceOf, vaultSourceOf } from '../exported.ts';
import { type Day, daysOf } from '../fleet.ts';
import type { Clocks } from '../local-time.ts';
import { type Truth, truthsOf } from '../oracle.ts';
import type { Row } from '../telling.ts';
import type { Vault } from '../vault.ts';
import { type VaultDay, vaultDays } from '../vault-oracle.ts';
import type { World } from '../world.ts';

/** A number that nobody knows more exactly. */
export interface Between {
  readonly from: number;
  readonly to: number;
}

/** A moment in milliseconds since 1970. */
export interface Time {
  readonly time: number;
}

type TrueCell = string | number | boolean | null | Between | Time | 'any';

/** What is true of a cell; it is told no further from it than another cell says, and than what no run could notice. */
interface Bound {
  readonly cell: string;
  readonly is: Between;
  readonly by: string;
  readonly hidden: number;
}

/** A row that an answer has. mayLack: it may also leave it out, because nobody knows enough. */
export interface TrueRow {
  readonly cells: Readonly<Record<string, TrueCell>>;
  readonly bounds?: readonly Bound[];
  readonly mayLack?: boolean;
}

/** A fleet with its source's name and what its runs could know. */
export interface Fleet {
  readonly source: string;
  readonly world: World;
  readonly days: readonly Day[];
  /** Its days up to the last with an answer. */
  readonly known: readonly Day[];
  readonly screens: readonly Truth[];
}

/** An account with its source's name and what its runs could know. */
export interface Account {
  readonly source: string;
  readonly vault: Vault;
  readonly days: readonly VaultDay[];
}

/** What the answers are about. */
export interface Asked {
  readonly clocks: Clocks;
  /** The newest day of the lake. */
  readonly newest: string;
  readonly fleets: readonly Fleet[];
  readonly accounts: readonly Account[];
}

export type Oracle = (asked: Asked) => readonly TrueRow[];

export function askedOf(worlds: readonly World[], vaults: readonly Vault[], clocks: Clocks): Asked {
  const runs = [...worlds, ...vaults].flatMap((each) => each.runs.filter(({ how }) => how !== 'left out'));
  return {
    clocks,
    newest: clocks.dayOf(Math.max(...runs.map(({ at }) => at))),
    fleets: worlds.map((world) => {
      const days = daysOf(world, clocks);
      const screens = truthsOf(world, clocks).filter(({ level }) => level === 'screen');
      const last = days.findLastIndex(({ at }) => at !== undefined);
      return { source: sourceOf(world), world, days, known: days.slice(0, last + 1), screens };
    }),
    accounts: vaults.map((vault) => ({
      source: vaultSourceOf(vault),
      vault,
      days: vaultDays(vault, clocks),
    })),
  };
}

/** The rows that are told and not true, and those that are true and not told. */
export function unlike(told: readonly Row[], wanted: readonly TrueRow[]): readonly string[] {
  // Rows that an answer needs come first, and of these the ones that are known best.
  const truths = wanted.toSorted(
    (a, b) => Number(a.mayLack ?? false) - Number(b.mayLack ?? false) || roomOf(a) - roomOf(b),
  );
  const toldOf = new Map<TrueRow, Row>();
  const fits = (row: Row, { cells, bounds = [] }: TrueRow) =>
    Object.keys(row).every((name) => isSame(row[name], cells[name])) &&
    bounds.every((bound) => isWithin(row, bound));
  // A row that fits only what another one has taken takes its place, if the other fits elsewhere.
  const isPlaced = (row: Row, tried: Set<TrueRow>): boolean =>
    truths.some((truth) => {
      if (tried.has(truth) || !fits(row, truth)) return false;
      tried.add(truth);
      const other = toldOf.get(truth);
      if (other !== undefined && !isPlaced(other, tried)) return false;
      toldOf.set(truth, row);
      return true;
    });
  const wrong = told.filter((row) => !isPlaced(row, new Set()));
  return [
    ...wrong.map((row) => `told, and not true: ${JSON.stringify(row)}`),
    ...truths
      .filter((truth) => !toldOf.has(truth) && truth.mayLack !== true)
      .map(({ cells }) => `true, and not told: ${JSON.stringify(cells)}`),
  ];
}

/** How much may be told of the cells of a row. */
const roomOf = ({ cells }: TrueRow) =>
  sum(
    Object.values(cells).map((cell) =>
      cell !== null && typeof cell === 'object' && 'from' in cell ? cell.to - cell.from : 0,
    ),
  );

const EPSILON = 1e-6;

function isSame(said: unknown, truth: TrueCell | undefined): boolean {
  if (truth === 'any') return true;
  if (truth === null) return said === null;
  if (said === null || said === undefined || truth === undefined) return false;
  if (typeof truth === 'number')
    return Math.abs(Number(said) - truth) <= EPSILON * Math.max(1, Math.abs(truth));
  if (typeof truth !== 'object') return String(said) === String(truth);
  if ('time' in truth) return Date.parse(String(said)) === truth.time;
  return Number(said) >= truth.from - EPSILON && Number(said) <= truth.to + EPSILON;
}

function isWithin(row: Row, { cell, is, by, hidden }: Bound): boolean {
  const [said, bound] = [row[cell] ?? null, row[by] ?? null];
  if (said === null || bound === null) return said === bound;
  const error = Math.max(is.from - Number(said), Number(said) - is.to);
  return error <= Number(bound) + hidden + EPSILON;
}

export const between = (from: number, to: number): Between => ({ from, to });

/** A number that is told with so many digits after the point. */
export function rounded(is: number, digits: number): Between {
  const half = 0.5 / 10 ** digits;
  return between(is - half, is + half);
}

/** The rows of groups, by the texts of their keys. */
export function grouped<T>(
  items: readonly T[],
  key: (item: T) => Readonly<Record<string, string>>,
  cells: (group: readonly T[]) => TrueRow['cells'],
  bounds: (group: readonly T[]) => readonly Bound[] = () => [],
): readonly TrueRow[] {
  return [...Map.groupBy(items, (item) => JSON.stringify(key(item)))].map(([text, group]) => ({
    cells: { ...JSON.parse(text), ...cells(group) },
    bounds: bounds(group),
  }));
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
