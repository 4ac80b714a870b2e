import { expect, it } from 'vitest';
import { architectureNamed } from '../../infra/bindings.ts';

it('an architecture that Lambda does not have is refused by name', () => {
  expect(architectureNamed('x86_64')).toBe('x86_64');
  expect(() => architectureNamed('sparc')).toThrow(
    'Lambda has no architecture "sparc": name arm64 or x86_64.',
  );
});
