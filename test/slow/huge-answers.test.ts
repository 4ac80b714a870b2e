import { expect, test } from 'vitest';
import { MEMORY_BYTES } from '#lib/api/body/body.ts';
import { fetchFrom, json, serve } from '../api/support/serve.ts';

// More than stays in memory; what grows with the square of it takes minutes.
const huge = (text: string) => text.repeat(Math.ceil((1.1 * MEMORY_BYTES) / text.length));
test.each([
  ['a number of zeros', `[{"Id":1,"n":1.${huge('0')}1}]`],
  ['a number of zeros before an exponent', `[{"Id":1,"n":${huge('0').replace('0', '1')}e1}]`],
  ['a name of signs', `[{"Id":1,"${huge('_')}a":1}]`],
  ['a name of capitals', `{"data":[{"Id":1}],"${huge('aB')}":1}`],
  ['a text of blanks', `{"data":[{"Id":1}],"total":"${huge(' ')}1"}`],
  ['blanks between values', `[{"Id":1,${huge(' ')}"n":${huge(' ')}1${huge(' ')}}]`],
  ['commas', `{"data":[{"Id":1}],"x":[${huge('1, ')}1]}`],
  ['backslashes', `[{"Id":1,"n":"${huge('\\\\')}"}]`],
  ['escapes', `[{"Id":1,"n":"${huge('\\ud800')}"}]`],
  ['an address', `{"data":[{"Id":1}],"next":"/${huge('?a')}"}`],
])('%s in the body is read in a time that grows as the text does', async (_, body) => {
  await using server = await serve((_request, response) => json(response, body));
  for (const name of ['players', 'screens', 'backup_pricing'] as const) {
    const begun = process.cpuUsage();
    await fetchFrom(server.url, name);
    expect(process.cpuUsage(begun).user).toBeLessThan(3_000_000);
  }
});

test('pages that never end and never repeat end at the cap', async () => {
  let served = 0;
  await using server = await serve((_, response) => {
    served += 1;
    json(response, JSON.stringify({ items: [{ Id: served }], cursor: String(served) }));
  });
  const { end } = await fetchFrom(server.url, 'players');
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_ENDLESS' });
  expect(served).toBe(10_000);
});
