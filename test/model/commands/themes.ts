import fc from 'fast-check';
import { losses, lostHeads, restarts } from './losses.ts';
import { type Command, command } from './model.ts';
import { applies, newKeys, rebuilds, rollbacks } from './operators.ts';
import { purges } from './purges.ts';
import { repairs, runs } from './runs.ts';
import { hide, leaves, places, retention, retentions, types, zones } from './settings.ts';
import { KINDS, truths, type Values } from './truths.ts';

export const ALL = {
  run: runs,
  repair: repairs,
  rebuild: rebuilds,
  rollback: rollbacks,
  apply: applies,
  zone: zones,
  type: types,
  drop: places.map((place) => hide('drop', place)),
  mask: places.map((place) => hide('mask', place)),
  retain: retentions,
  purge: purges,
  key: newKeys,
  lose: losses,
  head: lostHeads,
  leave: leaves,
  restart: restarts,
};

/** Steps one after the other. */
function inTurn(...steps: readonly Command[]): Command {
  return command(steps.map((step) => step[fc.toStringMethod]()).join(', '), async (model, world) => {
    for (const step of steps) if (step.check(model)) await step.run(model, world);
  });
}

/** What a sequence may have in addition to new truths. */
export type Kind = keyof typeof ALL;
export const ALL_KINDS = Object.keys(ALL) as readonly Kind[];

/** What operators do. A step that needs others before it is in the list more than once, to be drawn oftener. */
const twice = (...kinds: readonly Kind[]) => kinds.flatMap((kind) => [kind, kind]);
const OPERATIONS: readonly Kind[] = [
  ...twice('rollback', 'rebuild', 'repair', 'apply', 'lose', 'purge'),
  ...['key' as const, ...twice('head'), 'restart' as const],
];

/** What a sequence has in addition to runs. */
interface Theme {
  readonly kinds: readonly Values[];
  /** Zones that its sources begin with. */
  readonly first: readonly Command[];
  readonly operations: readonly Kind[];
  readonly settings: readonly Kind[];
  /** Steps that come again and again, in this order. */
  readonly own?: fc.Arbitrary<Command>;
}

const some = <Each>(all: readonly Each[], [least, most]: readonly [number, number]) =>
  fc.subarray([...all], { minLength: Math.min(least, all.length), maxLength: Math.min(most, all.length) });

/**
 * Values of one or two groups, and some kinds of steps. Five themes more are for faults that need certain ones
 * together: zones that change under moments without offset; days that are lost before a column of numbers widens; runs
 * that are rebuilt and then repaired; one path that is masked on and off; operators' steps where no raw is kept.
 */
export function themes(asked: readonly Kind[]): fc.Arbitrary<Theme> {
  const isAsked = (kind: Kind) => asked.includes(kind);
  const operations = OPERATIONS.filter(isAsked);
  const settings = asked.filter((kind) => kind !== 'run' && !OPERATIONS.includes(kind));
  const { numbers = [], moments = [] } = KINDS;
  const [withOffset = [], , local = []] = moments;
  const any = fc.subarray(Object.keys(KINDS), { minLength: 1, maxLength: 2 }).chain((groups) =>
    fc.record({
      kinds: fc.constant(groups.flatMap((group) => KINDS[group] ?? [])),
      first: isAsked('zone') ? fc.array(zones, { maxLength: 2 }) : fc.constant([]),
      operations: some(operations, [1, 2]),
      settings: some(settings, [0, 2]),
    }),
  );
  const zoned = fc.record({
    kinds: fc.constantFrom([local], [local, withOffset]),
    first: fc.array(zones, { minLength: 2, maxLength: 3 }),
    operations: some(operations, [0, 1]),
    settings: some(
      settings.filter((kind) => kind !== 'zone'),
      [0, 1],
    ).map((others) => [...others, 'zone', 'zone'] as const),
  });
  const lossy = fc.record({
    kinds: some(numbers, [2, 3]),
    first: fc.constant([]),
    operations: fc.constant((['lose', 'lose', 'apply'] as const).filter(isAsked)),
    settings: some(settings, [0, 1]),
  });
  const again = (['rebuild', 'repair'] as const).filter(isAsked);
  const remade = fc.record({
    kinds: fc.constantFrom(...Object.values(KINDS)),
    first: fc.constant([]),
    operations: fc.constant([...again, ...again]),
    settings: some(settings, [1, 2]),
  });
  const masked = fc
    .record({ kinds: fc.constantFrom(...Object.values(KINDS)), place: places })
    .chain(({ kinds, place }) =>
      fc.record({
        kinds: fc.constant(kinds),
        first: fc.constant([]),
        operations: some(operations, [0, 1]),
        settings: fc.constant([]),
        own: fc.constant(
          fc
            .tuple(truths(kinds, [place.source]), runs)
            .map(([truth, run]) => inTurn(truth, run, hide('mask', place))),
        ),
      }),
    );
  const rawless = fc.record({
    kinds: fc.constantFrom(...Object.values(KINDS)),
    first: fc.constant([retention({ rawRetentionDays: 0, dailyRetentionDays: null })]),
    operations: some((['apply', 'purge', 'key', 'rollback'] as const).filter(isAsked), [1, 2]),
    settings: some(
      settings.filter((kind) => kind !== 'retain'),
      [0, 1],
    ),
  });
  return fc.oneof(
    { arbitrary: any, weight: 3 },
    { arbitrary: masked, weight: isAsked('mask') ? 1 : 0 },
    { arbitrary: rawless, weight: isAsked('retain') ? 1 : 0 },
    { arbitrary: remade, weight: again.length === 2 ? 1 : 0 },
    { arbitrary: zoned, weight: isAsked('zone') ? 1 : 0 },
    { arbitrary: lossy, weight: isAsked('lose') ? 1 : 0 },
  );
}
