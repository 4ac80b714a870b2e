import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { berlin, refusal, vault } from './written.ts';

describe('all mistakes of a config are said at once', () => {
  /** Settings that are wrong by themselves, or with what is next to them, by the field that a message names. */
  const WRONG: Readonly<Record<string, (config: ReturnType<typeof twoSources>) => void>> = {
    name: (config) => Object.assign(config, { name: 5 }),
    minCoverage: (config) => Object.assign(config, { minCoverage: 95 }),
    flavour: (config) => Object.assign(config, { flavour: 1 }),
    mincoverage: (config) => Object.assign(config, { mincoverage: 1 }),
    timeZone: (config) => Object.assign(config, { timeZone: 'Europe/Berln' }),
    maskSecret: ({ sources: [berlin] }) => Object.assign(berlin.resources.players, { mask: ['Name'] }),
    'notify.form': (config) => Object.assign(config, { notify: { webhookSecret: 'x', form: 'slak' } }),
    'sources[0].baseUrl': ({ sources: [berlin] }) => Object.assign(berlin, { baseUrl: 'http://a.example' }),
    'sources[0].caFile': ({ sources: [berlin] }) => Object.assign(berlin, { caFile: 'no.pem' }),
    'sources[0].concurrency': ({ sources: [berlin] }) => Object.assign(berlin, { concurrency: 'all' }),
    'sources[0].apiKey': ({ sources: [berlin] }) => Object.assign(berlin, { apiKey: 'k' }),
    'sources[0].resources.players.columns.a.as': ({ sources: [berlin] }) =>
      Object.assign(berlin.resources.players.columns, { a: { as: 'player_id' } }),
    'sources[0].resources.players.columns.b.type': ({ sources: [berlin] }) =>
      Object.assign(berlin.resources.players.columns, { b: { type: 'datetime' } }),
    'sources[1].name': ({ sources: [, vault] }) => Object.assign(vault, { name: 'berlin' }),
    'sources[1].accountId': ({ sources: [, vault] }) => Object.assign(vault, { accountId: 1042 }),
    'sources[2].kind': ({ sources: [, , third] }) => Object.assign(third, { kind: 'Signage' }),
    'resources.players.columns.zip': ({ sources: [berlin, , third] }) => {
      Object.assign(berlin.resources.players.columns, { zip: { type: 'varchar' } });
      Object.assign(third.resources.players.columns, { zip: { type: 'bigint' } });
    },
  };
  const twoSources = () => ({
    name: 'signage',
    sources: [
      { ...berlin, resources: { players: { columns: {} } } },
      { ...vault },
      { ...berlin, name: 'third', resources: { players: { columns: {} } } },
    ] as const,
  });
  const fields = Object.keys(WRONG);

  it('any of them, with any others, each with its field', () => {
    fc.assert(
      fc.property(fc.subarray(fields, { minLength: 1 }), (chosen) => {
        const config = twoSources();
        for (const field of chosen) WRONG[field]?.(config);
        const found = refusal(config)?.faults.map(({ field }) => field) ?? [];
        expect([...found].sort()).toEqual([...chosen].sort());
      }),
    );
  });

  it('as lines, each with its value, its cure, and what was probably meant', () => {
    const config = twoSources();
    for (const field of ['mincoverage', 'timeZone', 'notify.form', 'sources[0].apiKey'])
      WRONG[field]?.(config);
    expect(refusal(config)?.message.split('\n')).toEqual([
      'export.config.json has 4 mistakes:',
      '  timeZone is "Europe/Berln", but must be an IANA time zone such as "Europe/Berlin".',
      '  notify.form is "slak", but must be one of json, slack, teams; did you mean "slack".',
      '  sources[0].apiKey is no setting of a signage source: put it into the secret that the setting secret names.',
      '  mincoverage is no setting of the config; did you mean minCoverage.',
    ]);
  });
});
