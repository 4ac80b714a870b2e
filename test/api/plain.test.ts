import { expect, it } from 'vitest';
import type { Contract } from '#lib/api/contract/contract.ts';
import { plainContract } from '#lib/api/contract/plain.ts';

const BARE: Contract = { envelope: '$', paging: 'none' };
const LIST = 'The records are a list.';

it.each<[Contract, readonly string[]]>([
  [
    { ...BARE, wholeItems: 1 },
    [LIST, 'One answer has all records.', 'The last complete answer had 1 record.'],
  ],
  [
    {
      ...{ envelope: 'data.items', paging: 'page:page', total: 'total', pageSize: 20, firstPage: 1 },
      ...{ facts: { result: 'word:5f2a9c01', server: 'varies', node: 'varies' }, wholeItems: 34 },
    },
    [
      'The records are a list in data.items.',
      'Pages are requested with page, from 1 on.',
      'A page has 20 records.',
      'total says how many records there are.',
      'Next to the records, result is always the same.',
      'Next to the records, server, node vary.',
      'The last complete answer had 34 records.',
    ],
  ],
  [
    { envelope: 'result{}', paging: 'cursor:after@paging.next' },
    [
      'The records are a map by key in result.',
      'The next page is requested with after. Its value is in the answer at paging.next.',
    ],
  ],
  [{ ...BARE, paging: 'link' }, [LIST, 'The Link header names the address of the next page.']],
  [{ ...BARE, paging: 'next' }, [LIST, 'The answer names the address of the next page.']],
  [{ ...BARE, paging: 'offset:skip' }, [LIST, 'Pages are requested with skip, from 0 on.']],
])('a contract in plain sentences: %j', (contract, sentences) => {
  expect(plainContract(contract)).toEqual(sentences);
});
