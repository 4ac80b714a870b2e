import { type IVpc, Peer, Port, SecurityGroup, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { FunctionOptions } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { z } from 'zod';
import type { Config } from '../lib/config/config.ts';
import { UsageError } from '../lib/errors.ts';
import { allow } from './allow.ts';
import type { StageForm } from './stages.ts';

const shape = z.strictObject({
  vpcId: z.string().regex(/^vpc-([0-9a-f]{8}|[0-9a-f]{17})$/),
  /** Private ones, with a route to a NAT gateway or to the signage server. */
  subnetIds: z.array(z.string().regex(/^subnet-([0-9a-f]{8}|[0-9a-f]{17})$/)).min(1),
  /** AWS's list of S3's addresses in the region, for the S3 gateway endpoint of the VPC. */
  s3PrefixListId: z.string().regex(/^pl-[0-9a-f]{8,17}$/),
});

/**
 * With `vpc` in the config: list and collect reach APIs from its subnets, so from its fixed address; plan and publish,
 * which hold foreign data and no secret, reach S3 and nothing else. The rest calls AWS alone and stays outside.
 */
export class Network extends Construct {
  private readonly vpc: IVpc | undefined;
  private readonly toApis: SecurityGroup | undefined;
  private readonly toS3: SecurityGroup | undefined;

  constructor(scope: Construct, id: string, { vpc: setting, maskSecret }: Config) {
    super(scope, id);
    const network = parseVpc(setting);
    if (network !== undefined && maskSecret !== undefined) {
      throw new UsageError(
        'vpc and maskSecret do not go together: within a VPC publish reaches S3 alone, so it could not read the key of the masks. Drop the columns instead of masking them, or leave vpc out.',
      );
    }
    if (network === undefined) return;
    // No look-up: synth needs neither network nor credentials. Zones and routes are asked for and not used.
    this.vpc = Vpc.fromVpcAttributes(this, 'Vpc', {
      vpcId: network.vpcId,
      availabilityZones: network.subnetIds.map((subnet) => `zone of ${subnet}`),
      privateSubnetIds: [...network.subnetIds],
      privateSubnetRouteTableIds: network.subnetIds.map((subnet) => `routes of ${subnet}`),
    });
    const group = (name: string, description: string) =>
      new SecurityGroup(this, name, { vpc: this.vpc as IVpc, description, allowAllOutbound: false });
    this.toApis = group('ToApis', 'list and collect: HTTP to the APIs, S3 and Secrets Manager');
    this.toApis.addEgressRule(Peer.anyIpv4(), Port.allTcp(), 'The ports of the APIs are in the config');
    this.toS3 = group('ToS3', 'plan and publish: S3 alone');
    this.toS3.addEgressRule(Peer.prefixList(network.s3PrefixListId), Port.tcp(443), 'S3');
  }

  /** Where the function of a stage is put. */
  placement(stage: StageForm): Pick<FunctionOptions, 'vpc' | 'vpcSubnets' | 'securityGroups'> {
    const group = this.groupOf(stage);
    if (this.vpc === undefined || group === undefined) return {};
    return {
      vpc: this.vpc,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      securityGroups: [group],
    };
  }

  /** What Lambda itself needs to put a function into a VPC. */
  allow(role: Role, stage: StageForm): void {
    if (this.groupOf(stage) === undefined) return;
    allow(role, {
      actions: [
        'ec2:CreateNetworkInterface',
        'ec2:DescribeNetworkInterfaces',
        'ec2:DeleteNetworkInterface',
        'ec2:DescribeSubnets',
      ],
      resources: ['*'],
      because: 'Network interfaces have no ARN before they are made, and describing them knows no resources.',
    });
  }

  private groupOf(stage: StageForm): SecurityGroup | undefined {
    if (stage.callsApi) return this.toApis;
    return stage.hasDuckDb ? this.toS3 : undefined;
  }
}

function parseVpc(setting: unknown): z.infer<typeof shape> | undefined {
  if (setting === undefined) return undefined;
  const parsed = shape.safeParse(setting);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(
    `vpc${issue?.path.map((part) => `.${String(part)}`).join('') ?? ''} is wrong (${issue?.message}): write {"vpcId": "vpc-…", "subnetIds": ["subnet-…"], "s3PrefixListId": "pl-…"}.`,
  );
}
