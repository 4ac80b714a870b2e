import { textShape } from './text-shape.ts';

/** A longer text is no message. */
const LONGEST = 200;

interface RefusalOf {
  readonly text: string;
  readonly parentId: string;
}

/** The text by which a refusal explains itself, with `#` for the parent's id and for numbers; null if it has none. */
export function messageOfRefusal({ text, parentId }: RefusalOf): string | null {
  const message = messageIn(text);
  return message === null ? null : textShape(message, parentId);
}

/** The first text of its JSON that has two words, else the first, else what it is. */
function messageIn(text: string): string | null {
  try {
    const texts: string[] = [];
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
    return texts.find((each) => each.length <= LONGEST && /\p{L}\s+\p{L}/u.test(each)) ?? texts[0] ?? null;
  } catch {
    return text.length <= LONGEST && /\p{L}/u.test(text) ? text.trim() : null;
  }
}

/** Whether a refusal has one of the texts that the setting `none` names, whatever ids and numbers are in them. */
export function saysNone(refusal: RefusalOf, none: readonly string[]): boolean {
  const message = none.length === 0 ? null : messageOfRefusal(refusal);
  return message !== null && none.some((each) => textShape(each, refusal.parentId) === message);
}
