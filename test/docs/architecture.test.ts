import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf } from '../support/import-graph.ts';
import { LAYERS } from '../support/layers.ts';
import { sourceFiles } from '../support/syntax.ts';

const page = readFileSync('docs/understand/architecture.md', 'utf8');
/** What is between a heading and the next one of its kind. */
const section = (heading: string) => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

const STAGES = LAYERS.find((layer) => layer.length > 1) ?? [];
/** More files than this and nobody reads them one after the other. */
const FILES_OF_A_JOURNEY = 25;

/** The files of each part of the journey, in the order of the page. */
const parts = section('The journey of one record')
  .split(/^\*\*.+\*\*$/m)
  .slice(1)
  .map((part) => [...part.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file ?? ''));
const journey = parts.flat();

const imports = importsOf(sourceFiles(/^(lib|cli)\//));
const importedBy = Map.groupBy(imports, ({ file }) => file);
const loadedBy = Map.groupBy(
  imports.filter(({ isType }) => !isType),
  ({ file }) => file,
);

/** True where a file imports another, itself or through files that the journey passes over. */
function reaches(file: string, other: string, seen = new Set<string>()): boolean {
  seen.add(file);
  return (importedBy.get(file) ?? []).some(
    ({ from }) =>
      from === other || (!seen.has(from) && !journey.includes(from) && reaches(from, other, seen)),
  );
}

/** What turns back in a part of the journey: a file that none of those calls which have been entered and not left. */
function turns(files: readonly string[]): readonly string[] {
  const [entry = '', ...rest] = files.filter((file) => file.endsWith('.ts'));
  let open = [entry];
  return rest.flatMap((file) => {
    const caller = open.findLastIndex((each) => reaches(each, file));
    const found = caller < 0 ? [`${file} is called by none of ${open.join(', ')}`] : [];
    open = [...open.slice(0, caller + 1), file];
    return found;
  });
}

describe('docs/understand/architecture.md', () => {
  it('shows the layers that the architecture test holds', () => {
    const [, named = ''] = /From the ground up: ([^.]+)\./.exec(section('Layers')) ?? [];
    const layers = LAYERS.map((layer) => (layer === STAGES ? 'stages' : layer[0]));
    expect(named.split(/,\s/)).toEqual([...layers, 'functions', 'cli']);
  });

  it('lists every folder of lib once', () => {
    const listed = [...section('Layers').matchAll(/^\| `(lib\/[^`]*)\/?` \|/gm)].map(([, folder]) => folder);
    const folders = new Set(sourceFiles(/^lib\//).map((file) => `${dirname(file)}/`));
    expect(listed.toSorted()).toEqual([...folders].sort());
  });

  it('names no file and no folder that is not there', () => {
    const named = [
      ...page.matchAll(/`((?:lib|cli|functions|infra|queries|simulator|bench|scripts)\/[^`]*)`/g),
    ];
    const links = [...page.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => `docs/understand/${link}`);
    expect(named.length).toBeGreaterThan(40);
    expect([...named.map(([, path = '']) => path), ...links].filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('the journey of one record', () => {
  it(`names at most ${FILES_OF_A_JOURNEY} files, none twice, and no other file beside them`, () => {
    expect(journey.length).toBeGreaterThan(20);
    expect(journey.length).toBeLessThanOrEqual(FILES_OF_A_JOURNEY);
    expect(journey.filter((file, index) => journey.indexOf(file) !== index)).toEqual([]);
    const named = [...section('The journey of one record').matchAll(/`([\w/-]+\.\w+)`/g)].map(
      ([, file]) => file,
    );
    expect(named).toEqual(journey);
  });

  it('goes from caller to called, and back to a caller only when what it called is done', () => {
    expect(parts.map((files) => turns(files))).toEqual(parts.map(() => []));
    const [collect = []] = parts;
    expect(turns([...collect.slice(1), ...collect.slice(0, 1)])).not.toEqual([]);
  });

  it('turns back nowhere: no file of a part calls one that stands above it', () => {
    const back = parts.flatMap((files) =>
      files.flatMap((file, index) =>
        (loadedBy.get(file) ?? []).flatMap(({ from }) =>
          files.slice(0, index).includes(from) ? [`${file} goes back to ${from}`] : [],
        ),
      ),
    );
    expect(back).toEqual([]);
  });
});
