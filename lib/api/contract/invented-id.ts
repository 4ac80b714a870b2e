import { hash } from 'node:crypto';

/** The highest numbers of 32 and of 64 bits are larger. */
const NUMBERS = ['1999999973', '1999999943'] as const;
const DIGITS = '0123456789';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const HEX = '0123456789abcdef';

/** An id of the same form that no record has: the path stays one that the server can read. */
export function inventedId(id: string): string {
  if (/^\d+$/.test(id)) {
    const [number, other] =
      id.length <= 10 ? NUMBERS : [`8${'9'.repeat(id.length - 1)}`, '1'.repeat(id.length)];
    return id === number ? other : number;
  }
  const isHex = /^[\da-f-]{16,}$/i.test(id);
  const bytes = hash('sha256', id, 'buffer');
  const drawn = (from: string, index: number) => from[(bytes[index % bytes.length] ?? 0) % from.length] ?? '';
  const invented = [...id].map((sign, index) => {
    if (isHex && sign !== '-') return drawn(HEX, index);
    if (/\d/.test(sign)) return drawn(DIGITS, index);
    if (/[a-z]/.test(sign)) return drawn(LETTERS, index);
    return /[A-Z]/.test(sign) ? drawn(LETTERS.toUpperCase(), index) : sign;
  });
  const text = invented.join('');
  return text === id ? `${text}0` : text;
}
