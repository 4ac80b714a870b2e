import * as z from 'zod';
import type { Kind } from './kind.ts';

/** A setting that every source of a kind needs. */
export interface RequiredSetting {
  readonly name: string;
  /** The end of "it must be …". */
  readonly due: string;
}

/** A kind's own settings without a default, in the order of its declaration. */
export function requiredSettings(kind: Pick<Kind, 'settings'>): readonly RequiredSetting[] {
  return Object.entries(kind.settings).flatMap(([name, shape]) => {
    const { error } = z.object({ [name]: shape }).safeParse({});
    return error === undefined ? [] : [{ name, due: error.issues[0]?.message ?? '' }];
  });
}
