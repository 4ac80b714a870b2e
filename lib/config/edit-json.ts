import { applyEdits, modify } from 'jsonc-parser';

/** Names of members and numbers of entries, from the root down. */
export type JsonPath = readonly (string | number)[];

/**
 * The text of a JSON document with a value at the path, everything else as it was. Objects on the way that are not there
 * are made; what is written is indented and ends its lines as the rest of the document. The document must be JSON.
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
