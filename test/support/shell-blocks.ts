import { readFile } from 'node:fs/promises';

/** The blocks of a page for a shell, in their order, each with the heading above it. */
export async function shellBlocks(page: string) {
  const sections = (await readFile(page, 'utf8')).split(/^## /m);
  return sections.flatMap((section) =>
    [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => ({
      heading: section.slice(0, section.indexOf('\n')),
      commands,
    })),
  );
}
