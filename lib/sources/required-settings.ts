import * as z from 'zod';
import type { Kind } from './kind.ts';

/** A setting of a kind without which no source of it is. */
export interface RequiredSetting {
  readonly name: string;
  /** The end of "it must be …". */
  readonly due: string;
}

/** The settings that a kind has of its own and has no default for, in the order of its declaration. */
export function requiredSettings(kind: Pick<Kind, 'settings'>): readonly RequiredSetting[] {
  return Object.entries(kind.settings).flatMap(([name, shape]) => {
    const { error } = z.object({ [name]: shape }).safeParse({});
    return error === undefined ? [] : [{ name, due: error.issues[0]?.message ?? '' }];
  });
}
