import fc from 'fast-check';
import type { Answered, Truth } from '../reference-lake.ts';
import type { World } from '../world.ts';
import { SOURCES } from './model.ts';

/** How a run's calls fail: a source's listing, or the screens of a player. */
type Fault = {
  readonly source: string;
  readonly player: string | null;
  readonly how: 'failed' | 'denied' | 'gone';
};

/** What the sources answer, where these faults befall them. */
export function answersOf(truth: ReadonlyMap<string, Truth>, faults: readonly Fault[]) {
  const answers = new Map<string, Answered>();
  for (const [source, { players, screens }] of truth) {
    const own = faults.filter((fault) => fault.source === source);
    const ends = new Map<string, Answered['screens'] extends ReadonlyMap<string, infer End> ? End : never>();
    for (const id of players.keys())
      ends.set(id, own.find(({ player }) => player === id)?.how ?? screens.get(id) ?? new Map());
    const isFailed = own.some(({ player }) => player === null);
    // A path that no parent has any more was renamed: nobody is gone.
    if (ends.size > 0 && [...ends.values()].every((end) => end === 'gone'))
      for (const id of ends.keys()) ends.set(id, 'failed');
    answers.set(source, { players: isFailed ? 'failed' : players, screens: isFailed ? new Map() : ends });
  }
  return answers;
}

/** What the server says: a renamed path is 404 for everybody. */
export function serve(world: World, truth: ReadonlyMap<string, Truth>, faults: readonly Fault[]): void {
  for (const [source, { players, screens }] of truth) {
    const own = faults.filter((fault) => fault.source === source);
    const ends = [...players.keys()].map(
      (id) => [id, own.find(({ player }) => player === id)?.how ?? screens.get(id) ?? new Map()] as const,
    );
    const isFailed = own.some(({ player }) => player === null);
    world.answers.set(source, { players: isFailed ? 'failed' : players, screens: new Map(ends) });
  }
}

export const faults: fc.Arbitrary<readonly Fault[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.record({
        source: fc.constantFrom(...SOURCES),
        player: fc.constantFrom(null, '1', '2', '3'),
        how: fc.constantFrom('failed' as const, 'denied' as const, 'gone' as const),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  },
);
