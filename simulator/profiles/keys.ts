import type { AxisValue } from './axes.ts';

/** The key in another case; capitals and underscores show its words. */
export function keyIn(key: string, style: AxisValue<'keys'>): string {
  if (style === 'native') return key;
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');
  switch (style) {
    case 'snake':
      return words.join('_');
    case 'kebab':
      return words.join('-');
    case 'pascal':
      return words.map(capital).join('');
    case 'camel':
      return words.map((word, i) => (i === 0 ? word : capital(word))).join('');
  }
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
