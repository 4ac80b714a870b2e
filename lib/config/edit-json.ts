import { applyEdits, modify } from 'jsonc-parser';

/** Names of members and numbers of entries, from the root down. */
export type JsonPath = readonly (string | number)[];

/**
 * The text of a JSON document with a value at the path, everything else unchanged. Missing objects on the way
 * are made. The new text has the document's indentation and line ends. The document must be JSON.
 */
export function withValueAt(text: string, path: JsonPath, value: unknown): string {
  const step = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !step.startsWith('\t'),
    tabSize: step.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }));
}
