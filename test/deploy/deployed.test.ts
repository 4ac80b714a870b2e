import { availableParallelism, loadavg } from 'node:os';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { tellAfter } from './story/after.ts';
import { tellDeployments } from './story/deployments.ts';
import { tellOperators } from './story/operators.ts';
import { tellReaders } from './story/readers.ts';
import { tellRights } from './story/rights.ts';
import { tellRuns, tellTroubledRuns } from './story/runs.ts';
import { beginStory, type Story } from './story/story.ts';

const place = inject('emulator');
/** If more processes than this wait, the time says nothing of the story. */
const MOST_LOAD = 2 * availableParallelism();

describe.skipIf(place === null)('an installation, deployed', () => {
  const story = {} as Story;
  const began = performance.now();
  const [loadBefore = 0] = loadavg();

  beforeAll(async () => {
    // The chapters are there before it begins, so it is filled in place.
    const begun = await beginStory(place ?? { url: '', python: '', folder: '' });
    Object.defineProperties(story, Object.getOwnPropertyDescriptors(begun));
  });
  afterAll(() => story[Symbol.asyncDispose]?.());

  tellDeployments(story);
  tellRuns(story);
  tellReaders(story);
  tellTroubledRuns(story);
  tellOperators(story);
  tellRights(story);
  tellAfter(story);

  it('did all this in less than six minutes, on a machine that does nothing else', () => {
    const seconds = (performance.now() - began) / 1000;
    console.info(`test:deploy: ${seconds.toFixed(0)} s, beside a load of ${loadBefore.toFixed(1)}`);
    if (process.env['BESIDE_OTHERS'] === undefined && loadBefore < MOST_LOAD)
      expect(seconds).toBeLessThan(360);
  });
});
