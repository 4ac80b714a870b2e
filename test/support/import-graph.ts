import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { below, type Node, nodesIn, statementsOf, wordOf } from './syntax.ts';

/** An import: one file names another file, or a package. Imports of types count too, because a reader needs both files. */
export interface Import {
  readonly file: string;
  /** A file of the repository by its path from the root (one that lies there is `./vitest.config.ts`), or a package. */
  readonly from: string;
  /** True where the import is gone at run time. */
  readonly isType: boolean;
  /** What it takes of the other file, by the names there; `*` for everything. */
  readonly names: readonly string[];
}

/** The value of `from` if the name is made at run time. */
export const UNREADABLE = '(a name that is made at run time)';

/** What each of the files imports. */
export function importsOf(files: readonly string[]): readonly Import[] {
  return files.flatMap((file) => importsIn(file, readFileSync(file, 'utf8')));
}

/** What a file with this text imports. */
export function importsIn(file: string, text: string): readonly Import[] {
  const nodes = [...below(statementsOf(file, text))];
  const taken = new Map(nodes.flatMap(takenAtOnce));
  return nodes.flatMap((node) => {
    const source = sourceOf(node);
    if (source === undefined) return [];
    const name = source.type === 'Literal' ? wordOf(source) : undefined;
    return {
      file,
      from: name === undefined ? UNREADABLE : target(file, name),
      isType: [node.importKind, node.exportKind].includes('type') || node.type === 'TSImportType',
      names: taken.get(node) ?? namesOf(node, nodes),
    };
  });
}

/** What names the other file where a node is an import, in whatever form; undefined of any other node. */
function sourceOf(node: Node): Node | undefined {
  const isCall = node.type === 'CallExpression';
  if (isCall) return wordOf(node.callee) === 'require' ? first(node.arguments) : undefined;
  const imports = /^(Import(Declaration|Expression)|Export(Named|All)Declaration|TSImportType)$/;
  return imports.test(node.type) ? first(node.source) : undefined;
}

/** The names that `(await import(…)).name` and `const { name } = await import(…)` take, with their import. */
function takenAtOnce(node: Node): readonly (readonly [Node, readonly string[]])[] {
  const isMember = node.type === 'MemberExpression' && node.computed !== true;
  const loaded = isMember ? loadedBy(node.object) : loadedBy(node.init);
  if (loaded === undefined) return [];
  if (isMember) return [[loaded, [wordOf(node.property) ?? '*']]];
  const [pattern] = nodesIn(node.id);
  if (pattern?.type !== 'ObjectPattern') return [];
  return [[loaded, nodesIn(pattern.properties).map(({ key }) => wordOf(key) ?? '*')]];
}

/** The import that an expression waits for; undefined of any other. */
function loadedBy(expression: unknown): Node | undefined {
  const [node] = nodesIn(expression);
  if (node?.type === 'ParenthesizedExpression') return loadedBy(node.expression);
  if (node?.type === 'AwaitExpression') return loadedBy(node.argument);
  return node?.type === 'ImportExpression' ? node : undefined;
}

/** The names that an import takes. What is loaded as a whole while the program runs counts as everything. */
function namesOf(node: Node, nodes: readonly Node[]): readonly string[] {
  if (!/^(ImportDeclaration|ExportNamedDeclaration)$/.test(node.type)) return ['*'];
  return nodesIn(node.specifiers).flatMap((each) =>
    each.type === 'ImportNamespaceSpecifier'
      ? membersOf(wordOf(each.local), nodes)
      : (wordOf(each.imported ?? each.local) ?? '*'),
  );
}

/** What a file takes of `import * as name`: its members, or everything where the name itself is handed on. */
function membersOf(name: string | undefined, nodes: readonly Node[]): readonly string[] {
  const isName = (node: Node) => node.type === 'Identifier' && wordOf(node) === name;
  const isIt = (node: unknown): boolean => nodesIn(node).some(isName);
  const isMember = ({ type, computed }: Node) => type === 'MemberExpression' && computed !== true;
  const members = nodes.filter((node) => isMember(node) && isIt(node.object));
  // One more is where it is imported.
  const isHandedOn = nodes.filter(isIt).length > members.length + 1;
  return isHandedOn ? ['*'] : members.map(({ property }) => wordOf(property) ?? '*');
}

function first(nodes: unknown): Node | undefined {
  return nodesIn(nodes)[0];
}

function target(file: string, from: string): string {
  if (from.startsWith('#')) return from.slice(1);
  if (!from.startsWith('.')) return from;
  const path = join(dirname(file), from);
  return path.includes('/') ? path : `./${path}`;
}

/** The folder of lib that a file lies in: `publish`; `ground` for what lies in lib itself; undefined outside of lib. */
export function roomOf(file: string): string | undefined {
  const [top, room, ...rest] = file.split('/');
  if (top !== 'lib') return undefined;
  return rest.length === 0 ? 'ground' : room;
}

interface Rules {
  readonly layers: readonly (readonly string[])[];
  readonly allowed: Readonly<Record<string, readonly string[]>>;
}

/** The imports that no rule allows. Within lib they go down a layer; between folders of the root where `allowed` says. */
export function misplaced(imports: readonly Import[], { layers, allowed }: Rules): readonly string[] {
  const level = (room: string) => layers.findIndex((layer) => layer.includes(room));
  const isRight = ({ file, from }: Import): boolean => {
    const [own, other] = [roomOf(file), roomOf(from)];
    if (own !== undefined && other !== undefined)
      return own === other || (level(other) >= 0 && level(other) < level(own));
    const [top = '', otherTop = ''] = [file, from].map((path) => path.split('/')[0]);
    if (top === otherTop) return true;
    if (allowed[top] === undefined || from === UNREADABLE) return false;
    const isOurs = from.startsWith('.') || Object.hasOwn(allowed, otherTop);
    return !isOurs || allowed[top].some((path) => from.startsWith(path));
  };
  return imports.filter((each) => !isRight(each)).map(({ file, from }) => `${file} imports ${from}`);
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

/** The names of the values that a file with this text exports. */
export function exportsIn(file: string, text: string): readonly string[] {
  return statementsOf(file, text).flatMap((node) => {
    if (node.type === 'ExportDefaultDeclaration') return ['default'];
    if (node.type === 'ExportAllDeclaration') return ['*'];
    if (node.type !== 'ExportNamedDeclaration' || node.exportKind === 'type') return [];
    const [declared] = nodesIn(node.declaration);
    const parts = nodesIn(declared?.type === 'VariableDeclaration' ? declared.declarations : declared);
    return [
      ...parts.flatMap(({ id }) => wordOf(id) ?? []),
      ...nodesIn(node.specifiers).map(({ exported }) => wordOf(exported) ?? ''),
    ];
  });
}
