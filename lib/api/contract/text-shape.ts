import { HARMLESS_ALWAYS } from '../read/vocabulary.ts';
import { wordsOf } from '../read/words.ts';

/** What is looked at of an answer. */
const LONGEST = 4000;
/** A code of an error is smaller; a time, or the number of a call, is not. */
const CODE_BELOW = 100_000;

/**
 * What a refusal says, whichever record it says it of and whenever: the id, and words with a digit in them, are `#`. In
 * JSON the numbers of errors stay, and members of the call, such as `traceId`, are left out.
 */
export function textShape(text: string, id: string): string {
  const plain = (value: string): string => withoutNumbers(withoutId(value, id));
  try {
    const shape: unknown = JSON.parse(text, (name, value: unknown) => {
      if (name !== '' && wordsOf(name).some((word) => HARMLESS_ALWAYS.has(word))) return undefined;
      if (typeof value === 'string') return plain(value);
      if (typeof value === 'number') return String(value) === id || value >= CODE_BELOW ? '#' : value;
      return value;
    });
    return JSON.stringify(shape).slice(0, LONGEST);
  } catch {
    return plain(text).slice(0, LONGEST);
  }
}

/** The id as it is, and as it stands in an address. */
function withoutId(text: string, id: string): string {
  const encoded = encodeURIComponent(id);
  return text.replaceAll(encoded, '#').replaceAll(encoded.toLowerCase(), '#').replaceAll(id, '#');
}

function withoutNumbers(text: string): string {
  const parts = text.slice(0, LONGEST).split(/([\s"'`<>(){}[\],;/=&?]+)/);
  return parts.map((part) => (/\d/.test(part) ? '#' : part)).join('');
}
