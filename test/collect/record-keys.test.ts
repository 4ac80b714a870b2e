import { expect, it } from 'vitest';
import { createRecordKeys } from '#lib/run/noted.ts';

it('the keys of records are noted once each, whichever record has them', () => {
  const keys = createRecordKeys();
  keys.add(
    [
      { Id: 1, Name: 'a' },
      { Id: 2, Name: 'b' },
      { Name: 'c', Id: 3 },
    ],
    false,
  );
  keys.add([{ Id: 4 }, { Id: 5, __proto__: null, 'a"b': null, '': [] }], false);
  expect(JSON.parse(keys.text() ?? '')).toEqual(['Id', 'Name', 'a"b', '']);
});

it('they are not known where a record is mended, nor where they are data', () => {
  const mended = createRecordKeys();
  mended.add([{ Id: 1 }], false);
  mended.add([{ Id: 2 }], true);
  mended.add([{ Id: 3 }], false);
  expect(mended.text()).toBeUndefined();
  const data = createRecordKeys();
  data.add(
    Array.from({ length: 1001 }, (_, index) => ({ [`key ${index}`]: 1 })),
    false,
  );
  expect(data.text()).toBeUndefined();
});
