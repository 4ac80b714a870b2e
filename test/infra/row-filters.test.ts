import { describe, expect, it } from 'vitest';
import { someOf } from '../support/some-of.ts';
import { kmsKeyArn } from './settings.ts';
import { grantsIn, spelled, statementsIn, statementsOf, templateOf } from './synthesized.ts';

const bi = 'arn:aws:iam::111122223333:role/bi';
const customer = 'arn:aws:iam::111122223333:role/berlin';
const filter = { group: 'berlin', sources: ['berlin'], readers: [customer] };
const settings = (change: object = {}, more: object = {}) => ({
  readers: ['berlin', 'ops'],
  lakeFormation: { readers: [bi], rowFilters: [{ ...filter, ...change }], ...more },
});

describe('readers with a row filter', () => {
  const template = templateOf({ ...settings(), kmsKeyArn });
  const plain = templateOf({ readers: ['berlin', 'ops'], lakeFormation: { readers: [bi] } });
  const grants = grantsIn(template);
  const policyOf = (group: string) => {
    const [found] = template
      .ofType('AWS::IAM::ManagedPolicy')
      .filter(({ Properties }) => spelled(Properties['ManagedPolicyName']).startsWith(`signage.${group}-`));
    return found?.Properties ?? {};
  };

  it('are granted nothing on tables at deploy: commits put their filters, and may', () => {
    expect(grants.filter((each) => each.startsWith(customer))).toEqual([`${customer}: DESCRIBE on Database`]);
    for (const writer of ['PipelineCommitRole', 'OperationsOperateRole']) {
      expect(grants).toContain(`${writer}: DATA_LOCATION_ACCESS on DataLocation`);
      expect(grants).toContain(
        `${writer}: SELECT DESCRIBE ALTER DROP ALL on Table, passes on SELECT DESCRIBE ALL`,
      );
      const rights = statementsOf(template.resources, writer).flatMap(({ actions }) => actions);
      expect(rights).toEqual(expect.arrayContaining(['lakeformation:CreateDataCellsFilter']));
    }
    const start = statementsOf(template.resources, 'PipelineStartRole').flatMap(({ actions }) => actions);
    expect(start.filter((action) => action.startsWith('lakeformation:'))).toEqual([]);
  });

  it('open no file of the lake and no page, whatever else a role allows', () => {
    const opened = statementsIn(policyOf('berlin')).filter(({ actions }) => actions.includes('s3:GetObject'));
    expect(opened.flatMap(({ resources }) => resources).map(named)).toEqual(['Results/signage.berlin/*']);
    const [shut] = statementsIn(policyOf('berlin'), 'Deny');
    expect(shut?.resources.map(named)).toEqual(['Lake/*', 'Results/_report/*']);
    const others = statementsIn(policyOf('ops')).filter(({ actions }) => actions.includes('s3:GetObject'));
    expect(others.flatMap(({ resources }) => resources).map(named)).toContain('Lake/tables/*');
  });

  it('get their rows from Lake Formation, which reads the tables alone; so do all others then', () => {
    const [location] = template.ofType('AWS::LakeFormation::Resource');
    expect(named(spelled(location?.Properties['ResourceArn']))).toBe('Lake/tables');
    const files = statementsOf(template.resources, 'LakeFormationFilesRole');
    expect(files.map(({ actions, resources }) => `${actions} ${resources.map(named)}`)).toEqual([
      's3:GetObject Lake/tables/*',
      's3:ListBucket Lake',
      `kms:Decrypt ${kmsKeyArn}`,
    ]);
    const querying = template
      .ofType('AWS::IAM::ManagedPolicy')
      .filter(({ Properties }) => JSON.stringify(Properties).includes('athena:GetQueryResults'));
    for (const { Properties } of someOf(querying))
      expect(JSON.stringify(Properties)).toContain('lakeformation:GetDataAccess');
  });

  it('change nothing for an installation without them, but that commits may take back those of a former config', () => {
    expect(JSON.stringify(plain.resources)).not.toMatch(
      /CreateTableDefaultPermissions|LakeFormation::Resource/,
    );
    const rightsOf = ({ resources }: typeof plain, writer: string) =>
      statementsOf(resources, writer)
        .flatMap(({ actions }) => actions)
        .filter((action) => action.startsWith('lakeformation:'));
    for (const writer of ['PipelineCommitRole', 'OperationsOperateRole']) {
      expect(rightsOf(plain, writer)).toContain('lakeformation:DeleteDataCellsFilter');
      expect(rightsOf(plain, writer)).toEqual(rightsOf(template, writer));
    }
    const never = templateOf({ readers: ['berlin', 'ops'] });
    expect(JSON.stringify(never.resources)).not.toContain('lakeformation:');
  });

  it('keep the ids of their grants when others come and go, for CloudFormation revokes the one that it replaces', () => {
    const grantsOf = ({ ofType }: typeof plain) =>
      new Map(
        ofType('AWS::LakeFormation::PrincipalPermissions').map(({ id, Properties }) => {
          const { Principal, Resource, ...rights } = Properties;
          return [`${spelled(JSON.stringify(Principal))} ${JSON.stringify(Resource)}`, { id, ...rights }];
        }),
      );
    const other = `${customer}-2`;
    const states = [
      { readers: [bi] },
      { readers: [other, bi] },
      { readers: [bi], rowFilters: [{ ...filter, readers: [other, customer] }] },
      { readers: [bi, other], rowFilters: [filter] },
    ].map((lakeFormation) => grantsOf(templateOf({ readers: ['berlin'], lakeFormation })));
    expect(states.map(({ size }) => size)).toEqual([8, 10, 13, 14]);
    for (const [key, grant] of states.flatMap((each) => [...each]))
      for (const state of states) if (state.has(key)) expect(state.get(key)).toEqual(grant);
  });
});

describe('a row filter is refused', () => {
  const long = Array.from({ length: 40 }, (_, index) => `source-${'x'.repeat(40)}-${index}`);
  const sources = long.map((name) => ({
    ...{ name, kind: 'signage', baseUrl: 'https://signage.example.com', secret: 'signage/key' },
  }));

  const many = (group: string) => ({
    ...{ ...filter, group },
    readers: Array.from({ length: 26 }, (_, index) => `${customer}${group}${index}`),
  });

  it.each([
    [
      'without a group of readers',
      settings({ group: 'paris' }),
      'The row filter of "paris" in lakeFormation.rowFilters names no group: add "paris" to readers',
    ],
    ['for a source that nobody has', settings({ sources: ['paris'] }), 'names the source "paris", which is'],
    ['for who sees all rows', settings({ readers: [bi] }), `has the reader ${bi}, who sees all rows`],
    [
      'for more sources than AWS takes',
      { ...settings({ sources: long }), sources },
      'each once, that Lake Formation takes in 2047 characters',
    ],
    ['for a reader elsewhere', settings({ readers: ['arn:aws-cn:iam::111122223333:role/x'] }), 'aws-cn'],
    [
      'for more readers than a template holds',
      settings({}, { rowFilters: ['berlin', 'ops'].map(many) }),
      'row filters with at most 50 ARNs together',
    ],
    ['without a source', settings({ sources: [] }), 'a list of names of sources, each once'],
  ])('%s, with the cure', (_what, config, says) => {
    const env = { account: '111122223333', region: 'eu-central-1' };
    expect(() => templateOf(config, { env })).toThrow(says);
  });
});

const named = (arn: string) => arn.replace(/<Storage(\w+?)[0-9A-F]{8}\.Arn>/, '$1');

it('Lake Formation lets readers select and those who write the catalog write, where the config says that it governs', () => {
  const granted = templateOf({ lakeFormation: { readers: [bi] } });
  const due = [`${bi}: DESCRIBE on Database`, `${bi}: SELECT DESCRIBE on Table`];
  for (const writer of ['PipelineStartRole', 'PipelineCommitRole', 'OperationsOperateRole']) {
    const more = writer === 'PipelineStartRole' ? '' : ' ALL';
    const passes = more && ', passes on SELECT DESCRIBE ALL';
    due.push(`${writer}: CREATE_TABLE DESCRIBE on Database`);
    due.push(`${writer}: SELECT DESCRIBE ALTER DROP${more} on Table${passes}`);
  }
  expect(grantsIn(granted).toSorted()).toEqual(due.sort());
  // Of the newest tables, and of those that a later commit makes.
  const permissions = granted.ofType('AWS::LakeFormation::PrincipalPermissions');
  expect(JSON.stringify(permissions)).toContain('TableWildcard');
});
