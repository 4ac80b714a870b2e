import { expect, it } from 'vitest';
import { createSiblings } from '#lib/api/contract/siblings.ts';
import { NO_PAGING } from '#lib/config/paging-style.ts';

it('a first page that came before its siblings showed pages is looked behind, however many were in vain', () => {
  const siblings = createSiblings();
  const looks = Array.from({ length: 12 }, () => siblings.mayLook(3));
  expect(looks).toEqual([...Array(10).fill(true), false, false]);
  siblings.note({ style: { ...NO_PAGING, name: 'page', param: 'pageNo' }, base: 1, wasNumbered: true });
  expect(siblings.mayLook(3)).toBe(true);
});
