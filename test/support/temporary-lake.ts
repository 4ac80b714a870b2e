import { test } from 'vitest';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { temporaryFolder } from './lake-children.ts';

/** A lake without anything in it, in a folder that is removed when it is disposed of. */
export async function temporaryLake(): Promise<AsyncDisposable & { readonly lake: Lake }> {
  const folder = await temporaryFolder();
  return { lake: folderLake(folder.path), [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** A test that is given such a lake. */
export const itWithLake = test.extend<{ readonly lake: Lake }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads there which fixtures this one needs
  lake: async ({}, use) => {
    await using place = await temporaryLake();
    await use(place.lake);
  },
});
