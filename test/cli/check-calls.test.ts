import { describe, expect, it } from 'vitest';
import { checkSources } from '#cli/check-sources.ts';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { exportLab, labSecrets, SIGNAGE_ALONE } from '../support/export-lab.ts';

describe('check is polite', () => {
  it('one plain source takes a first call and three more for each listing, and the children of five players', async () => {
    await using lab = await exportLab({ players: 47, recordsRequests: true }, SIGNAGE_ALONE);
    await using services = localApiServices(localServices(lab.lake), labSecrets(lab.simulator));
    const check = await checkSources(lab.written, services);
    const paths = lab.simulator.stats.requestPaths;
    expect(check.calls).toBe(paths.length);
    expect(check.calls).toBeLessThanOrEqual(25);
    for (const child of ['Screens', 'PendingFileTransfers'])
      expect(paths.filter((path) => path.includes(child)).length).toBeLessThanOrEqual(10);
    expect(new Set(paths).size).toBe(paths.length);
    const counts = check.listings.map(({ resource, calls }) => [resource, calls]);
    expect(Object.fromEntries(counts)).toMatchObject({ screens: 5, pending_file_transfers: 5 });
  });
});
