import { applyEdits, type JSONVisitor, modify, printParseErrorCode, visit } from 'jsonc-parser';

/**
 * The error for a text that is not JSON. It says where and why, and quotes nothing of the text, which may be secret.
 */
export class JsonFault extends Error {
  constructor(text: string, at: number, what: string) {
    const before = text.slice(0, at);
    const line = before.split('\n').length;
    super(`line ${line}, column ${at - before.lastIndexOf('\n')}: ${what}`);
    this.name = 'JsonFault';
  }
}

const QUOTE = 'this text has no closing quote, or a line break, tab or backslash that JSON does not allow';
const COMMENT = 'JSON has no comments: remove this one';
/** What the faults of jsonc-parser mean. */
const SAYS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is no word of JSON: a name or a text is in double quotes',
  PropertyNameExpected: 'a name in double quotes is due here, and no comma is before }',
  ValueExpected: 'a value is due here, and no comma is before ]',
  ColonExpected: 'a colon is due here',
  CommaExpected: 'a comma or a closing bracket is due here',
  EndOfFileExpected: 'the JSON ends here, but the text goes on',
  InvalidCommentToken: COMMENT,
  UnexpectedEndOfComment: COMMENT,
  UnexpectedEndOfString: QUOTE,
  InvalidUnicode: QUOTE,
  InvalidEscapeCharacter: QUOTE,
  InvalidCharacter: QUOTE,
};

/** Visits the tokens of a JSON text without comments, and those that JSON does not allow there. */
export function visitJson(text: string, visitor: JSONVisitor): void {
  visit(text, visitor, { disallowComments: true });
}

/**
 * The value of a strict JSON text, which may begin with a byte order mark. Unlike JSON.parse it refuses a
 * name that an object has twice, and reports the line and column of a fault. Throws JsonFault.
 */
export function parseJson(text: string): unknown {
  const json = text.replace(/^\uFEFF/, ' ');
  const fail = (at: number, what: string): never => {
    throw new JsonFault(text, at, what);
  };
  const open: Set<string>[] = [];
  visitJson(json, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (name, at) => {
      if (open.at(-1)?.has(name)) fail(at, `the name ${JSON.stringify(name)} is here for the second time`);
      open.at(-1)?.add(name);
    },
    onError: (code, at) =>
      fail(
        at,
        at >= json.length
          ? 'the text ends too early'
          : (SAYS[printParseErrorCode(code)] ?? 'this is not JSON'),
      ),
  });
  try {
    return JSON.parse(json);
  } catch (error) {
    const [, at] = /at position (\d+)/.exec(String(error)) ?? [];
    return fail(Number(at ?? json.length), 'this is not JSON');
  }
}

/**
 * The text of a JSON document with a value at the path, everything else unchanged. Missing objects on the way
 * are made. The new text has the document's indentation and line ends. The document must be JSON.
 */
export function withValueAt(text: string, path: readonly (string | number)[], value: unknown): string {
  const step = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !step.startsWith('\t'),
    tabSize: step.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }));
}
