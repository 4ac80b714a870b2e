import { readFileSync } from 'node:fs';
import { importsOf } from '../support/import-graph.ts';
import { sourceFiles } from '../support/syntax.ts';

/**
 * Returns the test files that reach a file by imports, those first that are the fewest imports away; of as many, those
 * first that name the file, and those that live in a folder of its name.
 */
export function relatedTests(): (file: string) => readonly string[] {
  const sources = sourceFiles(/./);
  const imports = importsOf(sources).filter(({ isType }) => !isType);
  const importers = Map.groupBy(imports, ({ from }) => from);
  const texts = new Map<string, string>();
  const textOf = (source: string): string => {
    const text = texts.get(source) ?? readFileSync(source, 'utf8');
    texts.set(source, text);
    return text;
  };
  return (file) => {
    // Nothing imports SQL and JSON: the code that reads them has their name, or that of their folder.
    const [folder = '', own = ''] = file.split('/').slice(-2);
    const isRead = (source: string) => textOf(source).includes(own) || textOf(source).includes(`/${folder}/`);
    const begin = file.endsWith('.ts') ? [file] : sources.filter(isRead);
    const away = new Map(begin.map((each) => [each, 0]));
    for (const [reached, distance] of away)
      for (const { file: importer } of importers.get(reached) ?? [])
        if (!away.has(importer)) away.set(importer, distance + 1);
    const name = file.split('/').at(-1)?.replace(/\..*$/, '') ?? '';
    const rank = (test: string) => {
      const isNamed = textOf(test).includes(name) ? -2 : 0;
      const isBeside = test
        .split('/')
        .slice(1, -1)
        .some((each) => file.split('/').includes(each))
        ? -1
        : 0;
      return (away.get(test) ?? 0) + isNamed + isBeside;
    };
    return [...away.keys()]
      .filter((each) => /^test\/.*\.test\.ts$/.test(each))
      .map((test) => ({ test, rank: rank(test) }))
      .sort((a, b) => a.rank - b.rank || a.test.localeCompare(b.test))
      .map(({ test }) => test);
  };
}
