import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourceFiles } from '../support/syntax.ts';

/** What each command takes, as both pages of commands have it; another test compares them with the program. */
const [program = '', ...sections] = ['docs/use/commands.md', 'docs/run/commands.md'].flatMap((page) => {
  const [head = '', ...own] = readFileSync(page, 'utf8').split(/^## /m);
  return page.startsWith('docs/use') ? [head, ...own] : own;
});
const optionsIn = (text: string) => text.match(/--[a-z-]+/g) ?? [];
const takes = new Map(
  sections.map((section) => [
    /^`(.+)`/.exec(section)?.[1] ?? '',
    new Set([...optionsIn(program), ...optionsIn(section)]),
  ]),
);
const firstWords = new Set([...takes.keys()].map((path) => path.split(' ')[0] ?? ''));

/** Commands in backticks within sentences: a command's name and an option or word of it behind, with the program or without. */
function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?<!`)\\?`(?:npx )?(?:signage-export )?([a-z][^`\n]*?)\\?`(?!`)/g)]
    .map(([, command = '']) => command)
    .filter((command) => firstWords.has(command.split(' ')[0] ?? '') && / -{2}[a-z]/.test(command));
}

/** What the command names that it does not take. */
function unknownIn(command: string): readonly string[] {
  const [first = '', second = ''] = command.split(' ');
  const options = takes.get(`${first} ${second}`) ?? takes.get(first);
  return (command.match(/(?<= )--[a-z-]+/g) ?? []).filter((option) => options?.has(option) !== true);
}

const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...['docs', 'examples'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((file) =>
      file.endsWith('.md') ? [`${folder}/${file}`] : [],
    ),
  ),
];

it.each([
  ['pages', PAGES, 15],
  ['messages', sourceFiles(/^(lib|cli|infra|functions)\//), 5],
] as const)('a command within a sentence of our %s has options that it takes', (_, files, least) => {
  const found = files.flatMap((file) =>
    commandsIn(readFileSync(file, 'utf8')).map((command) => ({ file, command })),
  );
  expect(found.length).toBeGreaterThan(least);
  expect(found.filter(({ command }) => unknownIn(command).length > 0)).toEqual([]);
});
