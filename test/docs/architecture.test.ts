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
/** Each journey by its beginning, with the most files and turns that a reader follows. */
const JOURNEYS = [
  { begins: '`run`', files: 20, turns: 1 },
  { begins: 'A stage', files: 12, turns: 0 },
  { begins: 'A column', files: 14, turns: 1 },
  { begins: '`repair`', files: 10, turns: 1 },
  { begins: 'A figure', files: 8, turns: 0 },
];

/** The files of a journey, in the order of the page. */
function filesOf(begins: string): readonly string[] {
  const text = section('Five journeys')
    .split('\n- **')
    .find((each) => each.startsWith(begins));
  return [...(text ?? '').matchAll(/`([\w/-]+\.\w+)`/g)].map(([, file]) => file ?? '');
}

const imports = importsOf(sourceFiles(/^(lib|cli|functions)\//));
const importedBy = Map.groupBy(imports, ({ file }) => file);

/** True where a file imports another, itself or through files that the journey passes over. */
function reaches(file: string, other: string, journey: readonly string[], seen = new Set<string>()): boolean {
  seen.add(file);
  return (importedBy.get(file) ?? []).some(
    ({ from }) =>
      from === other || (!seen.has(from) && !journey.includes(from) && reaches(from, other, journey, seen)),
  );
}

/** What turns back in a journey: a file that none of those calls which have been entered and not left. */
function turns(files: readonly string[]): readonly string[] {
  const [entry = '', ...rest] = files.filter((file) => file.endsWith('.ts'));
  let open = [entry];
  return rest.flatMap((file) => {
    // What fills the data of the file before it is one step too.
    const fills = (importedBy.get(file) ?? []).some(
      ({ from }) => from === open.at(-1) && from.endsWith('-data.ts'),
    );
    const caller = fills ? open.length - 1 : open.findLastIndex((each) => reaches(each, file, files));
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

describe.each(JOURNEYS)('the journey "$begins"', ({ begins, files: most, turns: mostTurns }) => {
  it(`has at most ${most} files, none twice`, () => {
    const files = filesOf(begins);
    expect(files.length).toBeGreaterThan(5);
    expect(files.length).toBeLessThanOrEqual(most);
    expect(files.filter((file, index) => files.indexOf(file) !== index)).toEqual([]);
  });

  it('goes from caller to called, and back to a caller only when what it called is done', () => {
    const files = filesOf(begins);
    expect(turns(files).slice(mostTurns)).toEqual([]);
    expect(turns([...files.slice(1), ...files.slice(0, 1)])).not.toEqual([]);
  });
});
