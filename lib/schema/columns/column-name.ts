import { hash } from 'node:crypto';
import { trimEnd } from '../../text.ts';

/** Leaves room for `_2` … `_9999999` below the limit of 128 characters for a name. */
const LONGEST = 120;
const HASH_LENGTH = 8;

/** Words that the split below cuts in the wrong place. */
const KNOWN_WORDS: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/IPv(?=[46])/g, 'Ipv'],
  [/iOS/g, 'Ios'],
  [/macOS/g, 'Macos'],
  [/OAuth/g, 'Oauth'],
];

/** Letters that Unicode does not take apart. German umlauts become two letters, as Germans write them. */
const TRANSLITERATION: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
};

/**
 * The column's name for an API path, in snake_case. `['Resolution', 'Width']` becomes `resolution_width`, `URLPath`
 * `url_path`, `PlayerIDs` `player_ids`, `Straße` `strasse`. It is always `[a-z_][a-z0-9_]*` with at most 120
 * characters; the last 8 of a longer name are a hash of the path. A path without a letter or digit is `empty`.
 */
export function columnName(path: readonly string[]): string {
  const words = path.flatMap((key) => keyWords(key));
  const joined = words.length === 0 ? 'empty' : words.join('_');
  const name = /^[0-9]/.test(joined) ? `_${joined}` : joined;
  if (name.length <= LONGEST) return name;
  const end = hash('sha256', JSON.stringify(path)).slice(0, HASH_LENGTH);
  return `${trimEnd(name.slice(0, LONGEST - HASH_LENGTH - 1), '_')}_${end}`;
}

function keyWords(key: string): readonly string[] {
  const plain = KNOWN_WORDS.reduce(
    (text, [pattern, word]) => text.replace(pattern, word),
    key.normalize('NFC'),
  );
  return (
    plain
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      // The last capital of a run begins the next word (URLPath, HTML5Player), except before a plural s (PlayerIDs).
      .replace(/(?<=[\p{Lu}\p{N}])(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))/gu, ' ')
      .split(/[^\p{L}\p{N}\p{M}]+/u)
      .map(asciiWord)
      .filter((word) => word !== '')
  );
}

function asciiWord(word: string): string {
  return [...word.toLowerCase().normalize('NFC')]
    .map((letter) => TRANSLITERATION[letter] ?? letter.normalize('NFKD').replace(/\p{M}/gu, ''))
    .join('')
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, (rest) => [...rest].map(codePoint).join(''));
}

/** Another script's letter as its code point, `u4e2d`: ugly, but the same name every time. Signs vanish. */
function codePoint(letter: string): string {
  return /[\p{L}\p{N}]/u.test(letter) ? `u${letter.codePointAt(0)?.toString(16)}` : '';
}
