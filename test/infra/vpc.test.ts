import { describe, expect, it } from 'vitest';
import { STAGES } from '../../infra/stages.ts';
import { spelled, templateOf } from './synthesized.ts';

describe('with a VPC', () => {
  const place = { vpcId: 'vpc-0a1b2c3d', s3PrefixListId: 'pl-0a1b2c3d', dnsServers: ['10.0.0.2'] };
  const vpc = { ...place, subnetIds: ['subnet-0a1b2c3d', 'subnet-1a1b2c3d'] };
  const DNS = ['10.0.0.2/32 udp 53', '10.0.0.2/32 tcp 53'];
  const inVpc = templateOf({ vpc });

  it('an API at an address is reached there alone', () => {
    const source = (name: string, baseUrl: string) => ({ name, kind: 'signage', baseUrl, secret: 'a/b' });
    const sources = [source('a', 'https://10.1.2.3:8443'), source('b', 'https://10.1.2.4:9443')];
    const rules = templateOf({ vpc, sources })
      .ofType('AWS::EC2::SecurityGroup')
      .flatMap(({ Properties }) => rulesOf(Properties))
      .filter(({ FromPort }) => FromPort === 8443 || FromPort === 9443)
      .map(({ CidrIp, FromPort, ToPort }) => [CidrIp, FromPort, ToPort]);
    expect(rules).toEqual([
      ['10.1.2.3/32', 8443, 8443],
      ['10.1.2.4/32', 9443, 9443],
    ]);
  });

  it('more addresses than a security group has rules are reached by their port, and synth says so', () => {
    const sources = Array.from({ length: 100 }, (_, index) => {
      return { name: `s${index}`, kind: 'signage', baseUrl: `https://10.1.2.${index}:8443`, secret: 'a/b' };
    });
    const { ofType, warnings } = templateOf({ vpc, sources });
    const rules = ofType('AWS::EC2::SecurityGroup')
      .flatMap(({ Properties }) => rulesOf(Properties))
      .filter(({ FromPort }) => FromPort === 8443);
    expect(rules.map(({ CidrIp }) => CidrIp)).toEqual(['0.0.0.0/0']);
    const wide = (said: readonly string[]) => said.filter((each) => each.includes('signage-export:egress'));
    expect(wide(warnings)).toEqual([expect.stringContaining('100 addresses on ports beside 443')]);
    expect(wide(inVpc.warnings)).toEqual([]);
  });

  it('plan and publish reach S3 and nothing else; list and collect reach APIs; the rest stays outside', () => {
    const groups = inVpc.ofType('AWS::EC2::SecurityGroup');
    const egressOf = (stage: string) => {
      const found = inVpc
        .ofType('AWS::Lambda::Function')
        .find(({ Properties }) => Properties['FunctionName'] === `signage-${stage}`);
      const placed = found?.Properties['VpcConfig'] as
        | { SecurityGroupIds: unknown[]; SubnetIds: string[] }
        | undefined;
      if (placed === undefined) return undefined;
      expect(placed.SubnetIds).toEqual(vpc.subnetIds);
      const ids = placed.SecurityGroupIds.map((each) => spelled(each).slice(1, -'.GroupId>'.length));
      const inline = groups
        .filter(({ id }) => ids.includes(id))
        .flatMap(({ Properties }) => rulesOf(Properties));
      const apart = inVpc
        .ofType('AWS::EC2::SecurityGroupEgress')
        .filter(({ Properties }) =>
          ids.includes(spelled(Properties['GroupId']).slice(1, -'.GroupId>'.length)),
        )
        .map(({ Properties }) => Properties);
      return [...inline, ...apart].map((rule) =>
        [rule['DestinationPrefixListId'] ?? rule['CidrIp'], rule['IpProtocol'], rule['FromPort']].join(' '),
      );
    };
    for (const { name, callsApi, hasDuckDb } of STAGES) {
      const ofDuckDb = hasDuckDb ? [...DNS, 'pl-0a1b2c3d tcp 443'] : undefined;
      const due = callsApi ? ['0.0.0.0/0 tcp 443', '0.0.0.0/0 tcp 8443', ...DNS] : ofDuckDb;
      expect(egressOf(name), name).toEqual(due);
    }
  });
});

function rulesOf(properties: Readonly<Record<string, unknown>>): readonly Record<string, unknown>[] {
  return (properties['SecurityGroupEgress'] as readonly Record<string, unknown>[] | undefined) ?? [];
}
