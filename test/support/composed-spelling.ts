import type { Chance } from './chance.ts';

/** Ways to write one character; they know nothing of how the product reads. */
const CHARACTERS: Readonly<Record<string, (code: number) => string>> = {
  json: (code) => `\\u${hex(code, 4)}`,
  jsonInCapitals: (code) => `\\u${hex(code, 4).toUpperCase()}`,
  javaScript: (code) => `\\u{${hex(code, 2)}}`,
  python: (code) => `\\U${hex(code, 8)}`,
  c: (code) => `\\x${hex(code, 2)}`,
  perl: (code) => `\\x{${hex(code, 2)}}`,
  octal: (code) => `\\${code.toString(8).padStart(3, '0')}`,
  css: (code) => `\\${hex(code, 2)} `,
  url: (code) => `%${hex(code, 2)}`,
  urlInCapitals: (code) => `%${hex(code, 2).toUpperCase()}`,
  oldJavaScript: (code) => `%u${hex(code, 4)}`,
  quotedPrintable: (code) => `=${hex(code, 2).toUpperCase()}`,
  html: (code) => `&#${code};`,
  htmlWithZeros: (code) => `&#${String(code).padStart(6, '0')};`,
  htmlInHexadecimal: (code) => `&#x${hex(code, 2)};`,
  htmlInCapitals: (code) => `&#X${hex(code, 4).toUpperCase()};`,
};

/** What may be between two characters and is not seen. */
const UNSEEN = ['\u200b', '\u200d', '\u2060', '\u00ad', '\ufeff', '\0', '\0\0\0', '=\r\n', '=\n', '\u202e'];

/** What programs make of a whole text. */
const LAYERS: Readonly<Record<string, (text: string) => string>> = {
  json: (text) => JSON.stringify(text).slice(1, -1),
  jsonOfPython: (text) =>
    each(JSON.stringify(text).slice(1, -1), /[^\x20-\x7e]/g, (code) => `\\u${hex(code, 4)}`),
  jsonOfDotNet: (text) => each(text, /[^a-zA-Z0-9 .-]/g, (code) => `\\u${hex(code, 4).toUpperCase()}`),
  jsonOfPhp: (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  url: encodeURIComponent,
  html: (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  htmlByNumber: (text) => each(text, /[&"<>'%\\+]/g, (code) => `&#${code};`),
  quotedPrintable: (text) => each(text, /[=\r\n\t]/g, (code) => `=${hex(code, 2).toUpperCase()}`),
};

export interface ComposedSpelling {
  readonly text: string;
  /** How it came to be, for whoever has to find out why it was not found. */
  readonly made: string;
}

/** A secret as some programs, one behind the other, may write it: as text within the quotes of a JSON string. */
export function composedSpelling(secret: string, chance: Chance): ComposedSpelling {
  const names = Object.keys(CHARACTERS);
  const used = Array.from({ length: 1 + Math.floor(chance.number() * 3) }, () => chance.oneOf(names));
  const share = chance.oneOf([0, 0.2, 1]);
  const unseen = chance.number() < 0.3 ? chance.oneOf(UNSEEN) : '';
  const characters = [...secret].map((character) => {
    if (chance.number() >= share) return character;
    return CHARACTERS[chance.oneOf(used)]?.(character.charCodeAt(0)) ?? '';
  });
  const layers = Array.from({ length: Math.floor(chance.number() * 4) }, () =>
    chance.oneOf(Object.keys(LAYERS)),
  );
  const text = layers.reduce((inner, layer) => LAYERS[layer]?.(inner) ?? inner, characters.join(unseen));
  return {
    text: JSON.stringify(text).slice(1, -1),
    made: `${Math.round(share * 100)} % by ${used.join(' ')}, ${JSON.stringify(unseen)} between, then ${layers.join(' ')}`,
  };
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

function each(text: string, which: RegExp, write: (code: number) => string): string {
  return text.replaceAll(which, (character) => write(character.charCodeAt(0)));
}
