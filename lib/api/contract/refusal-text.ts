/** The most characters of an answer that are read. */
const LONGEST = 4000;
/** A longer text is not a message. */
const LONGEST_MESSAGE = 200;

interface RefusalOf {
  readonly text: string;
  readonly parentId: string;
}

/** A refusal's text for any record and time: the id, and words with a digit in them, are `#`. */
export function textShape(text: string, id: string): string {
  const encoded = encodeURIComponent(id);
  const spelled = [encoded, encoded.toLowerCase(), id];
  const plain = spelled.reduce((all, each) => all.replaceAll(each, '#'), text.slice(0, LONGEST));
  const parts = plain.split(/([\s"'`<>(){}[\],;:/=&?]+)/);
  return parts.map((part) => (/\d/.test(part) ? '#' : part)).join('');
}

/** The explanation in a refusal, with `#` for the parent's id and for numbers; null without one. */
export function messageOfRefusal({ text, parentId }: RefusalOf): string | null {
  const message = messageIn(text);
  return message === null ? null : textShape(message, parentId);
}

/** The first text of its JSON with two words, else the first text, else the whole text. */
function messageIn(text: string): string | null {
  try {
    const texts: string[] = [];
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
    const isSentence = (each: string) => each.length <= LONGEST_MESSAGE && /\p{L}\s+\p{L}/u.test(each);
    return texts.find(isSentence) ?? texts[0] ?? null;
  } catch {
    return text.length <= LONGEST_MESSAGE && /\p{L}/u.test(text) ? text.trim() : null;
  }
}

/** True where a refusal has one of the texts in the setting `none`, with any ids and numbers. */
export function saysNone(refusal: RefusalOf, none: readonly string[]): boolean {
  const message = none.length === 0 ? null : messageOfRefusal(refusal);
  return message !== null && none.some((each) => textShape(each, refusal.parentId) === message);
}
