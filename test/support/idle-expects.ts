import { below, type Node, nodesIn, statementsOf, wordOf } from './syntax.ts';

/** A loop over what may be empty, or a condition, without which a test asks nothing. */
export interface IdleExpect {
  readonly line: number;
  /** The loop or condition. */
  readonly guard: Node;
}

const CONDITIONS = new Set(['IfStatement', 'ConditionalExpression', 'LogicalExpression', 'SwitchStatement']);
const LOOPS = new Set(['ForOfStatement', 'ForInStatement', 'WhileStatement']);
/** Methods that ask a function for each item of a list. */
const EACH = new Set(['forEach', 'map', 'flatMap', 'every', 'some', 'filter']);

/**
 * Each loop of a file's tests around an `expect` that may go over nothing, and each condition around one in a test that
 * has no other. A loop is proven to ask by what it goes over: `someOf`, a list that is written out, a constant, or what an
 * `expect` outside of loops names too, or by what it counts, where such an `expect` names that.
 */
export function idleExpects(file: string, text: string): readonly IdleExpect[] {
  const program = statementsOf(file, text);
  const known = new Map<string, Node>();
  for (const { type, id, init } of below(program)) {
    const [name, value] = [wordOf(id), nodesIn(init)[0]];
    if (type === 'VariableDeclarator' && name !== undefined && value !== undefined) known.set(name, value);
  }
  return testsIn(program).flatMap((body) => {
    const asked: Node[] = [];
    const guards = new Set<Node>();
    walk(body, undefined, { asked, guards });
    const said = new Set(asked.flatMap((call) => [...namesIn(call)]));
    return [...guards].flatMap((guard) => {
      const subject = subjectOf(guard);
      if (subject === undefined) return [];
      const isAsked = CONDITIONS.has(guard.type)
        ? asked.length > 0
        : isFilled(subject, known) ||
          [...namesIn(subject), ...countedIn(guard)].some((name) => said.has(name));
      return isAsked ? [] : [{ line: text.slice(0, guard.start).split('\n').length, guard }];
    });
  });
}

/** The functions of `it` and `test`, with or without `each`. */
function testsIn(program: readonly Node[]): readonly Node[] {
  return [...below(program)].flatMap((node) => {
    if (node.type !== 'CallExpression') return [];
    const [called] = [...below(node.callee)].filter(({ type }) => type === 'Identifier').slice(-1);
    const first = firstName(node.callee);
    if (called === undefined || (first !== 'it' && first !== 'test')) return [];
    return nodesIn(node.arguments).filter(({ type }) => /^(ArrowFunction|Function)Expression$/.test(type));
  });
}

function firstName(callee: unknown): string | undefined {
  const [node] = nodesIn(callee);
  if (node?.type === 'Identifier') return wordOf(node);
  return node === undefined ? undefined : firstName(node.object ?? node.callee ?? node.tag);
}

interface Walked {
  /** Each `expect` outside of loops and conditions. */
  readonly asked: Node[];
  /** The innermost loops around the others; where there is none, the innermost condition. */
  readonly guards: Set<Node>;
}

function walk(node: Node, guard: Node | undefined, walked: Walked): void {
  const isUnreachable = wordOf(nodesIn(node.callee)[0]?.property) === 'unreachable';
  if (node.type === 'CallExpression' && firstName(node.callee) === 'expect' && !isUnreachable) {
    if (guard === undefined) walked.asked.push(node);
    else walked.guards.add(guard);
    return;
  }
  const isLoop = LOOPS.has(node.type) || isEach(node);
  const isOuter = guard === undefined || CONDITIONS.has(guard.type);
  const isEither = nodesIn(node.alternate).some(asks) && nodesIn(node.consequent).some(asks);
  const inner = isLoop || (CONDITIONS.has(node.type) && isOuter && !isEither) ? node : guard;
  for (const value of Object.values(node)) for (const child of nodesIn(value)) walk(child, inner, walked);
}

function asks(branch: Node): boolean {
  return [...below(branch)].some((node) => wordOf(node) === 'expect');
}

function isEach({ type, callee, arguments: given }: Node): boolean {
  const [member] = nodesIn(callee);
  return (
    type === 'CallExpression' &&
    member?.type === 'MemberExpression' &&
    EACH.has(wordOf(member.property) ?? '') &&
    nodesIn(given).some((each) => /FunctionExpression$/.test(each.type))
  );
}

/** What a loop goes over, or what a condition asks. */
function subjectOf(guard: Node): Node | undefined {
  if (guard.type === 'CallExpression') return nodesIn(nodesIn(guard.callee)[0]?.object)[0];
  return nodesIn(guard.right ?? guard.test ?? guard.discriminant)[0];
}

/** Methods whose list is as long as the one they are asked of. */
const AS_LONG = new Set([...'entries keys values map toSorted sort fromEntries toReversed'.split(' ')]);

/** Whether a list has something in it, as far as the file says. */
function isFilled(node: Node, known: ReadonlyMap<string, Node>, depth = 0): boolean {
  if (depth > 6) return false;
  const isOneFilled = (value: unknown) => nodesIn(value).some((each) => isFilled(each, known, depth + 1));
  const name = wordOf(node) ?? '';
  // A constant of the code, such as all kinds of sources.
  if (node.type === 'Identifier' && /^[A-Z][A-Z_]+$/.test(name)) return true;
  if (node.type === 'Identifier') return isOneFilled(known.get(name));
  if (node.type === 'SpreadElement') return isOneFilled(node.argument);
  if (node.type === 'ArrayExpression')
    return nodesIn(node.elements).some((each) => each.type !== 'SpreadElement' || isOneFilled(each));
  if (node.type === 'ObjectExpression') return nodesIn(node.properties).length > 0;
  if (/^TS(As|Satisfies|NonNull)Expression$/.test(node.type)) return isOneFilled(node.expression);
  if (node.type === 'NewExpression') return isOneFilled(node.arguments);
  if (node.type !== 'CallExpression') return false;
  const [member] = nodesIn(node.callee);
  if (wordOf(member) === 'someOf') return true;
  const [of, method] = [wordOf(member?.object), wordOf(member?.property) ?? ''];
  if (of === 'Array' && method === 'from') return true;
  return AS_LONG.has(method) && isOneFilled(of === 'Object' ? node.arguments : member?.object);
}

/** What a loop counts: `count += 1`. */
function countedIn(loop: Node): readonly string[] {
  return [...below(loop)].flatMap(({ type, operator, left }) =>
    type === 'AssignmentExpression' && operator === '+=' ? (wordOf(left) ?? []) : [],
  );
}

function* namesIn(node: Node): Generator<string> {
  for (const each of below(node)) {
    const name = each.type === 'Identifier' ? wordOf(each) : undefined;
    if (name !== undefined && name !== 'expect') yield name;
  }
}
