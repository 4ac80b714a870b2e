import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '#lib/config/parse-config.ts';
import { UsageError } from '#lib/errors.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { berlin, least, parse, vault } from './written.ts';

const common = {
  ...{ allowHttp: false, strict: false, maxListingBytes: 2_147_483_648, maxFields: 1000 },
  ...{ maxDepth: 64, maxColumns: 300, resources: {} },
};
const ofSignage = { basePath: '/gv2/webservices/API', apiVersion: '1.12' };
const ofBackup = { basePath: '', product: 'backup', versions: { pricing: 1, storages: 1, slots: 0 } };

describe('config', () => {
  it('has the defaults of the contract, by kind of source', () => {
    expect(parse(least)).toEqual({
      name: 'signage',
      schedule: 'cron(0 3 * * ? *)',
      timeZone: 'UTC',
      groups: ['City'],
      minCoverage: 0.95,
      maxShrink: 0.3,
      publishHours: 2,
      rawRetentionDays: 30,
      dailyRetentionDays: null,
      queryGiB: 10,
      sources: [
        { ...berlin, ...common, ...ofSignage, concurrency: 8, requestsPerSecond: 20 },
        { ...vault, ...common, ...ofBackup, concurrency: 2, requestsPerSecond: 1 },
      ],
    });
  });

  it.each([
    ['https://signage.example.com/', 'https://signage.example.com'],
    ['HTTPS://Signage.Example.com:443', 'https://signage.example.com'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://127.8.9.1:80', 'http://127.8.9.1'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
  ])('takes the origin %s as %s', (baseUrl, origin) => {
    expect(parse({ ...least, sources: [{ ...berlin, baseUrl }] }).sources[0]?.baseUrl).toBe(origin);
  });
});

it('a config that is not there is named, with one that may be meant', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'export.config.json');
  await expect(readConfig(file)).rejects.toThrow(
    new UsageError(
      `The config ${file} does not exist: write the first one with \`init\`, or name another with --config.`,
      'CONFIG_MISSING',
    ),
  );
  await writeFile(join(folder.path, 'exprt.config.json'), '{}');
  await expect(readConfig(file)).rejects.toThrow(
    `did you mean ${join(folder.path, 'exprt.config.json')}? Else`,
  );
  await expect(readConfig(folder.path)).rejects.toThrow(
    new UsageError(
      `The config ${folder.path} is a folder: name the file in it with --config, such as ${join(folder.path, 'export.config.json')}.`,
    ),
  );
});
