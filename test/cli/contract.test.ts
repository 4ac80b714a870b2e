import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContract } from '#cli/contract.ts';
import { type ExportLab, exportLab, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { cli, saidBy } from './support.ts';

let lab: ExportLab;
beforeAll(async () => {
  lab = await exportLab({ players: 12 }, SIGNAGE_ALONE);
  await lab.run('2026-11-20T03:00:00Z');
});
afterAll(() => lab[Symbol.asyncDispose]());

const place = () => ['--lake', `${lab.folder}/lake`];

describe('contract show', () => {
  it('says in plain sentences what complete answers have shown', async () => {
    const said = await saidBy(addContract, 'contract', 'show', 'players', ...place());
    expect(said.split('\n')).toEqual([
      'berlin.players',
      '  The records are a list.',
      '  One answer has all records.',
      '  The last complete answer had 12 records.',
      '  Children are requested by Id.',
      '',
    ]);
    expect(await saidBy(addContract, 'contract', 'show', 'berlin.players', ...place())).toBe(said);
  });

  it('gives all contracts as JSON', async () => {
    const contracts = JSON.parse(await saidBy(addContract, 'contract', 'show', ...place(), '--json'));
    const found = Object.fromEntries(
      contracts.map((each: { readonly resource: string }) => [each.resource, each]),
    );
    const contract = { envelope: '$', paging: 'none', wholeItems: 12 };
    expect(found['players']).toMatchObject({ source: 'berlin', records: 12, idField: 'Id', contract });
    expect(Object.keys(found)).toEqual(
      expect.arrayContaining(['app_groups', 'licenses', 'players', 'screens']),
    );
  });

  it('names the listing that was meant', async () => {
    await expect(cli(addContract, 'contract', 'show', 'berlin.player', ...place())).rejects.toMatchObject({
      code: 'LISTING_UNKNOWN',
      message: 'Nothing is known of berlin.player: did you mean berlin.players?',
    });
  });
});
