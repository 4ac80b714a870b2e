import { expect, it } from 'vitest';
import { processHasEnded, thisProcess } from '#lib/runtime/holder.ts';

const own = thisProcess();
const [boot = '', namespace = '', ticks = ''] = own.startedAt.split(' ');
const NOBODY = { pid: 2 ** 22 + 1 };
const startedAt = (...parts: string[]) => ({ ...own, startedAt: parts.join(' ') });

it.each([
  ['this process', own, false],
  ['an earlier process of the same id', startedAt(boot, namespace, `${ticks}0`), true],
  ['a process before the machine was started again', startedAt('other-boot', namespace, ticks), true],
  // Of it nothing can be seen from here: not its id, and not when what has its id here began.
  ['a process of another container', startedAt(boot, 'pid:[1]', `${ticks}0`), false],
  ['one of its ids that nobody has here', { ...startedAt(boot, 'pid:[1]', ticks), ...NOBODY }, false],
  ['a process of another machine', { ...own, host: 'elsewhere', ...NOBODY }, false],
  ['an id that nobody has', { ...own, ...NOBODY }, true],
  ['a process of a system that tells no start', { ...own, startedAt: '' }, false],
  ['an id that nobody has, on such a system', { ...own, ...NOBODY, startedAt: '' }, true],
  ['an execution', { execution: 'arn:aws:states:x' }, false],
])('holder of a lease: %s', async (_, holder, ended) => {
  expect(await processHasEnded(holder)).toBe(ended);
});
