import { type IVpc, Peer, Port, SecurityGroup, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { FunctionOptions } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { allow } from './allow.ts';
import type { StageForm } from './stages.ts';

/**
 * The network of `vpc` in the config. List and collect call the APIs from its subnets, so from its fixed address. Plan
 * and publish, which read foreign data, reach only S3. The other stages call only AWS and stay outside.
 */
export class Network extends Construct {
  private readonly vpc: IVpc | undefined;
  private readonly toApis: SecurityGroup | undefined;
  private readonly toS3: SecurityGroup | undefined;

  constructor(scope: Construct, id: string, { vpc: network, sources }: Config) {
    super(scope, id);
    if (network === undefined) return;
    // No lookup, because synth needs no network and no credentials. CDK wants zones and routes, but does not use them.
    this.vpc = Vpc.fromVpcAttributes(this, 'Vpc', {
      vpcId: network.vpcId,
      availabilityZones: network.subnetIds.map((subnet) => `zone of ${subnet}`),
      privateSubnetIds: [...network.subnetIds],
      privateSubnetRouteTableIds: network.subnetIds.map((subnet) => `routes of ${subnet}`),
    });
    const group = (name: string, description: string) =>
      new SecurityGroup(this, name, { vpc: this.vpc as IVpc, description, allowAllOutbound: false });
    this.toApis = group('ToApis', 'list and collect: HTTP to the APIs, S3 and Secrets Manager');
    this.toApis.addEgressRule(Peer.anyIpv4(), Port.tcp(OPEN_PORT), 'S3 and Secrets Manager');
    // Not the hosts alone: 443 is open to all, so an API's port tells nobody more.
    for (const port of new Set(sources.map(({ baseUrl }) => portOf(baseUrl))))
      if (port !== OPEN_PORT) this.toApis.addEgressRule(Peer.anyIpv4(), Port.tcp(port), `APIs at ${port}`);
    this.toS3 = group('ToS3', 'plan and publish: S3 alone');
    this.toS3.addEgressRule(Peer.prefixList(network.s3PrefixListId), Port.tcp(OPEN_PORT), 'S3');
    for (const server of network.dnsServers) {
      for (const each of [this.toApis, this.toS3]) {
        each.addEgressRule(Peer.ipv4(`${server}/32`), Port.udp(53), 'DNS');
        each.addEgressRule(Peer.ipv4(`${server}/32`), Port.tcp(53), 'DNS, long answers');
      }
    }
  }

  /** The subnets and security group of a stage's function. */
  placement(stage: StageForm): Pick<FunctionOptions, 'vpc' | 'vpcSubnets' | 'securityGroups'> {
    const group = this.groupOf(stage);
    if (this.vpc === undefined || group === undefined) return {};
    return {
      vpc: this.vpc,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      securityGroups: [group],
    };
  }

  /** Adds the rights that Lambda needs to put a stage's function into a VPC. */
  allow(role: Role, stage: StageForm): void {
    if (this.groupOf(stage) === undefined) return;
    allow(role, {
      actions: [
        'ec2:CreateNetworkInterface DescribeNetworkInterfaces DeleteNetworkInterface',
        'ec2:DescribeSubnets',
      ],
      resources: ['*'],
      because: 'Network interfaces have no ARN before they are made, and describing them knows no resources.',
    });
  }

  private groupOf(stage: StageForm): SecurityGroup | undefined {
    if (stage.callsApi) return this.toApis;
    // A stage that writes to the catalog or sends news needs more than S3.
    return stage.hasDuckDb && !stage.hasCatalog && !stage.tells ? this.toS3 : undefined;
  }
}

/** List and collect reach it everywhere, for S3 and Secrets Manager. */
const OPEN_PORT = 443;

/** The port of an API. */
function portOf(baseUrl: string): number {
  const { port, protocol } = new URL(baseUrl);
  if (port !== '') return Number(port);
  return protocol === 'http:' ? 80 : 443;
}
