import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One file names another, or a package: types count, for whoever reads one has to read the other. */
export interface Import {
  readonly file: string;
  /** A file of the repository by its path from the root, or the name of a package. */
  readonly from: string;
  /** True where the import is gone at run time. */
  readonly isType: boolean;
}

const STATEMENT = /^(?:import|export)\s(?<type>type\s)?[^;']*?from\s+'(?<from>[^']+)'/gm;
const OTHERS = /(?:^import\s+|import\(\s*)'(?<from>[^']+)'/gm;

/** All TypeScript files of the repository whose path matches, as git knows them. */
export function sourceFiles(where: RegExp): readonly string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => where.test(file) && !file.endsWith('.d.ts'));
}

/** What each of the files imports. */
export function importsOf(files: readonly string[]): readonly Import[] {
  return files.flatMap((file) => importsIn(file, readFileSync(file, 'utf8')));
}

/** What a file with this text imports. */
export function importsIn(file: string, text: string): readonly Import[] {
  const found = [...text.matchAll(STATEMENT), ...text.matchAll(OTHERS)];
  return found.map(({ groups }) => ({
    file,
    from: target(file, groups?.from ?? ''),
    isType: groups?.type !== undefined,
  }));
}

function target(file: string, from: string): string {
  if (from.startsWith('#')) return from.slice(1);
  return from.startsWith('.') ? join(dirname(file), from) : from;
}

/** The folder of lib that a file lies in: `publish`; `ground` for what lies in lib itself; undefined outside of lib. */
export function roomOf(file: string): string | undefined {
  const [top, room, ...rest] = file.split('/');
  if (top === 'lib') return rest.length === 0 ? 'ground' : room;
  return top === 'functions' || top === 'cli' ? top : undefined;
}

/** The imports that do not go down: from a layer to itself (another room of it) or to one above it. */
export function climbing(
  imports: readonly Import[],
  layers: readonly (readonly string[])[],
): readonly string[] {
  const level = (room: string) => layers.findIndex((layer) => layer.includes(room));
  return imports.flatMap(({ file, from }) => {
    const [own, other] = [roomOf(file), roomOf(from)];
    if (own === undefined || other === undefined || own === other) return [];
    return level(other) < level(own) && level(other) >= 0 ? [] : [`${file} imports ${from}`];
  });
}

/** Files that import each other in a circle, a list a circle (Tarjan's strongly connected components). */
export function circlesOf(imports: readonly Import[]): readonly (readonly string[])[] {
  const targets = Map.groupBy(imports, ({ file }) => file);
  const index = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const own = index.size;
    index.set(file, own);
    let low = own;
    path.push(file);
    for (const { from } of targets.get(file) ?? []) {
      if (from === file) circles.push([file]);
      if (!index.has(from)) low = Math.min(low, visit(from));
      else if (path.includes(from)) low = Math.min(low, index.get(from) ?? own);
    }
    if (low < own) return low;
    const circle = path.splice(path.indexOf(file));
    if (circle.length > 1) circles.push(circle.sort());
    return low;
  };
  for (const file of targets.keys()) if (!index.has(file)) visit(file);
  return circles;
}
