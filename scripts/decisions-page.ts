import { readdir, readFile } from 'node:fs/promises';

const FOLDER = new URL('../docs/decisions/', import.meta.url);

const HEAD = `# Decisions

A page for each topic: what is decided, why, what was not chosen, and when to change it. This list is made by \`npm run docs\`.
`;

/** The index of docs/decisions: each page with its title. Throws if a page has none. */
export async function decisionsPage(): Promise<string> {
  const lines = (await decisionFiles()).map(async (file) => {
    const [, title] = /^# (.+)\n/.exec(await readFile(new URL(file, FOLDER), 'utf8')) ?? [];
    if (title !== undefined) return `- [${title}](${file})`;
    throw new Error(`docs/decisions/${file} must begin with "# " and its topic in one line.`);
  });
  return [HEAD, ...(await Promise.all(lines)), ''].join('\n');
}

/** The pages of docs/decisions by name, without the index. */
export async function decisionFiles(): Promise<readonly string[]> {
  return (await readdir(FOLDER)).filter((file) => file.endsWith('.md') && file !== 'README.md').sort();
}
