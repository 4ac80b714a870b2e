import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { temporaryFolder } from './lake-children.ts';

/** A lake without anything in it, in a folder that is removed when it is disposed of. */
export async function temporaryLake(): Promise<AsyncDisposable & { readonly lake: Lake }> {
  const folder = await temporaryFolder();
  return {
    lake: folderLake(folder.path),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
