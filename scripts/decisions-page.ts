import { readdir, readFile } from 'node:fs/promises';

const FOLDER = new URL('../docs/decisions/', import.meta.url);

const HEAD = `# Decisions

One file a decision: what was chosen, what else there was, why. Newer ones win. This list is made by \`npm run docs\`.
`;

/** The index of docs/decisions: each file with its title, by number. Throws if a file has no title. */
export async function decisionsPage(): Promise<string> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.md') && file !== 'README.md').sort();
  const lines = await Promise.all(
    files.map(async (file) => `- [${titleOf(file, await readFile(new URL(file, FOLDER), 'utf8'))}](${file})`),
  );
  return [HEAD, ...lines, ''].join('\n');
}

function titleOf(file: string, text: string): string {
  const number = file.slice(0, 4);
  const title = /^# (\d{4} .+)$/m.exec(text)?.[1];
  if (title?.startsWith(`${number} `)) return title;
  throw new Error(`docs/decisions/${file} must begin with "# ${number} " and the decision in one line.`);
}
