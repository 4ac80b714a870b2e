import fc from 'fast-check';
import { type Command, SOURCES } from './model.ts';
import { runs } from './runs.ts';
import { ALL, type Kind, themes } from './themes.ts';
import { truths } from './truths.ts';

/** Sequences of 8 to 20 commands, each of the kinds of its theme: so tens of them draw a fault that needs one kind twice. */
export function sequences(asked: readonly Kind[]): fc.Arbitrary<readonly Command[]> {
  return themes(asked).chain(({ kinds, first, operations, settings, own }) =>
    fc
      .tuple(
        // Without rows no step does anything.
        fc.tuple(...SOURCES.map((source) => truths(kinds, [source]))),
        fc.array(
          fc.oneof(
            { arbitrary: runs, weight: 8 },
            { arbitrary: truths(kinds), weight: 4 },
            ...operations.map((kind) => ({ arbitrary: ALL[kind], weight: 3 })),
            ...settings.map((kind) => ({ arbitrary: ALL[kind], weight: 2 })),
            ...(own === undefined ? [] : [{ arbitrary: own, weight: 8 }]),
          ),
          { minLength: 8, maxLength: 20, size: 'max' },
        ),
      )
      .map(([rows, commands]) => [...first, ...rows, ...commands]),
  );
}
