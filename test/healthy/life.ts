import { type Dice, dice, hash } from '#simulator/dice.ts';
import { BESIDE_NAMES, type BesideName } from './beside.ts';
import { EVENTS, type Event } from './events.ts';
import type { Sizes } from './fleet.ts';
import type { Form } from './forms/form.ts';
import { PLAIN } from './forms/plain.ts';
import { formNamed, PAGED } from './forms/table.ts';
import { HARMLESS_NAMES, type HarmlessName } from './harmless-headers.ts';
import type { Kind } from './truth.ts';

export const DAYS = 10;

/** Something next to the records or among the headers, from a day on. */
export interface Since<Name extends string> {
  readonly name: Name;
  /** 0: from the first day on. */
  readonly day: number;
}

/** How one source of an installation answers. */
export interface SourceLife {
  readonly kind: Kind;
  readonly form: string;
  /** Which listings come in the form's pages: the others are as the same framework answers without paging. */
  readonly paged: 'all' | 'top' | 'parents';
  readonly size: number;
  readonly beside: readonly Since<BesideName>[];
  readonly headers: readonly Since<HarmlessName>[];
  /** Each record has a state of its own, under the names that a failed call has too. @default false */
  readonly hasStates?: boolean;
}

/** An installation that hides nothing, and what happens in it in ten days. All that it is follows from this. */
export interface Life {
  readonly seed: number;
  readonly sizes: Sizes;
  readonly sources: readonly SourceLife[];
  readonly events: readonly Event[];
}

export interface Drawing {
  readonly seed: number;
  readonly number: number;
}

/** The life of that number. */
export function drawLife({ seed, number }: Drawing): Life {
  const roll = dice(hash(seed, 101, number));
  const form = drawForm(roll);
  const other = drawForm(roll);
  const kinds = roll.next();
  // Dice of their own: all other lives stay as they were.
  const hasStates = dice(hash(seed, 103, number)).chance(0.25);
  const sources = [
    ...(kinds < 0.85 ? [drawSource(roll, 'signage', form)] : []),
    ...(kinds >= 0.65 ? [drawSource(roll, 'backup', kinds < 0.85 ? other : form)] : []),
  ].map((source) => ({ ...source, hasStates }));
  const sizes = drawSizes(roll, sources);
  return { seed: hash(seed, 102, number), sizes, sources, events: drawEvents(roll, sizes) };
}

function drawForm(roll: Dice): Form {
  return roll.chance(0.45) ? roll.pick(PLAIN) : roll.pick(PAGED);
}

function drawSource(roll: Dice, kind: Kind, { name, size, hasRoom = false }: Form): SourceLife {
  const own = size ?? 0;
  return {
    kind,
    form: name,
    paged: roll.pick(['all', 'all', 'top', 'parents']),
    size: own === 0 ? own : roll.pick([own, own, own, 10, 20, 25, 50, 100]),
    beside: hasRoom ? some(roll, BESIDE_NAMES, 5) : [],
    headers: some(roll, HARMLESS_NAMES, 5),
  };
}

/** Up to so many of these, most of them from the first day on. */
function some<Name extends string>(roll: Dice, names: readonly Name[], most: number): readonly Since<Name>[] {
  const count = roll.below(most + 1);
  const drawn = new Set(Array.from({ length: count }, () => roll.pick(names)));
  return [...drawn].map((name) => ({ name, day: roll.chance(0.75) ? 0 : 1 + roll.below(DAYS - 1) }));
}

/** Mostly small, so that many lives are cheap; one in forty is large. */
const FLEETS = [0, 1, 2, 7, 7, 10, 10, 13, 20, 20, 25, 25, 33, 50];
const LARGE = [100, 100, 100, 200, 250, 1000];

function drawSizes(roll: Dice, sources: readonly SourceLife[]): Sizes {
  const drawn = roll.chance(0.06) ? roll.pick(LARGE) : roll.pick(FLEETS);
  const forms = sources.map(({ form }) => formNamed(form));
  const backup = forms.find((_, index) => sources[index]?.kind === 'backup');
  const least = Math.max(0, ...forms.map((form) => form.least ?? 0));
  return {
    players: Math.max(least, drawn),
    groups: Math.max(least, roll.pick([1, 3, 5, 7, 10, 10, 20])),
    licences: Math.max(least, roll.pick([1, 2, 6, 6, 10, 25])),
    storages: Math.max(least, roll.pick([1, 3, 4, 10, 10, 20])),
    prices: backup?.single !== undefined && roll.chance(0.5) ? 'object' : 'list',
    screens: roll.pick(['mixed', 'mixed', 'one', 'two']),
  };
}

/** What fits an installation of that size, two to eight of them. */
function drawEvents(roll: Dice, { players }: Sizes): readonly Event[] {
  const fitting = EVENTS.filter((what) => players >= 10 || !['shrink', 'customer-leaves'].includes(what));
  const drawn = Array.from({ length: 2 + roll.below(7) }, () => ({
    day: 1 + roll.below(DAYS - 1),
    what: roll.pick(fitting),
  }));
  const once = new Map(drawn.map((event) => [`${event.day} ${event.what}`, event]));
  return [...once.values()].toSorted((a, b) => a.day - b.day);
}
