import { expect, it } from 'vitest';
import { startSimulator } from '#simulator/server.ts';

it('names the profiles there are where one is unknown', async () => {
  await expect(startSimulator({ profile: 'soap' })).rejects.toThrow(
    /'soap' is unknown; known are reference, .*silent-cap/,
  );
});
