import { isIPv4 } from 'node:net';
import { Annotations } from 'aws-cdk-lib';
import { type IPeer, Peer, Port, SecurityGroup, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import type { FunctionOptions } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { MOST_DNS_SERVERS } from '../lib/config/deployment-shape.ts';
import type { Source } from '../lib/sources/source.ts';
import type { StageForm } from './stages.ts';

/**
 * The network of `vpc` in the config. List and collect call the APIs from its subnets, so from its fixed address. Plan
 * and publish, which read foreign data, reach only S3. The other stages call only AWS and stay outside.
 */
export function addNetwork(scope: Construct, { vpc: network, sources }: Config): Placements {
  if (network === undefined) return () => undefined;
  const own = new Construct(scope, 'Network');
  // No lookup, because synth needs no network and no credentials. CDK wants zones and routes, but does not use them.
  const vpc = Vpc.fromVpcAttributes(own, 'Vpc', {
    vpcId: network.vpcId,
    availabilityZones: network.subnetIds.map((subnet) => `zone of ${subnet}`),
    privateSubnetIds: [...network.subnetIds],
    privateSubnetRouteTableIds: network.subnetIds.map((subnet) => `routes of ${subnet}`),
  });
  const group = (name: string, description: string) =>
    new SecurityGroup(own, name, { vpc, description, allowAllOutbound: false });
  const toApis = group('ToApis', 'list and collect: HTTP to the APIs, S3 and Secrets Manager');
  toApis.addEgressRule(Peer.anyIpv4(), Port.tcp(OPEN_PORT), 'S3 and Secrets Manager');
  const apis = destinations(sources);
  if (apis.length > MOST_DESTINATIONS)
    Annotations.of(own).addWarningV2(
      'signage-export:egress',
      `The sources have ${apis.length} addresses on ports beside ${OPEN_PORT}, and a security group of AWS has room for ${MOST_DESTINATIONS}. So list and collect may reach every address on these ports: put a proxy in front of the APIs, or deploy them as several installations.`,
    );
  for (const { host, port } of fitting(apis))
    toApis.addEgressRule(peerOf(host), Port.tcp(port), `APIs at ${host ?? 'names'}:${port}`);
  const toS3 = group('ToS3', 'plan and publish: S3 alone');
  toS3.addEgressRule(Peer.prefixList(network.s3PrefixListId), Port.tcp(OPEN_PORT), 'S3');
  for (const server of network.dnsServers) {
    for (const each of [toApis, toS3]) {
      each.addEgressRule(peerOf(server), Port.udp(53), 'DNS');
      each.addEgressRule(peerOf(server), Port.tcp(53), 'DNS, long answers');
    }
  }
  const within = { vpc, vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS } };
  return ({ callsApi, hasDuckDb, hasCatalog, tells }) => {
    if (callsApi) return { ...within, securityGroups: [toApis] };
    // A stage that writes to the catalog or sends news needs more than S3.
    return hasDuckDb && !hasCatalog && !tells ? { ...within, securityGroups: [toS3] } : undefined;
  };
}

/** The subnets and the security group of a stage's function; undefined outside of the VPC. */
export type Placements = (
  stage: StageForm,
) => Pick<FunctionOptions, 'vpc' | 'vpcSubnets' | 'securityGroups'> | undefined;

/** List and collect reach it everywhere, for S3 and Secrets Manager. */
const OPEN_PORT = 443;

type Destination = ReturnType<typeof destinations>[number];

/** The hosts and ports of the APIs, each once, but for the port open to all. A name may have any address, so none is there. */
function destinations(sources: readonly Pick<Source, 'baseUrl'>[]) {
  const all = sources.map(({ baseUrl }) => {
    const { hostname, port, protocol } = new URL(baseUrl);
    const host = isIPv4(hostname) ? hostname : undefined;
    return { host, port: Number(port) || (protocol === 'http:' ? 80 : 443) };
  });
  const shut = all.filter(({ port }) => port !== OPEN_PORT);
  return [...new Map(shut.map((each) => [`${each.host}:${each.port}`, each])).values()];
}

/** AWS's default limit of rules in a security group. @see https://docs.aws.amazon.com/vpc/latest/userguide/amazon-vpc-limits.html */
const MOST_RULES = 60;
/** One for the open port, and two for each DNS server. */
const MOST_DESTINATIONS = MOST_RULES - 1 - 2 * MOST_DNS_SERVERS;

/** If the addresses are too many for a security group, their ports are open to all. */
function fitting(apis: readonly Destination[]): readonly Destination[] {
  if (apis.length <= MOST_DESTINATIONS) return apis;
  return [...new Set(apis.map(({ port }) => port))].map((port) => ({ host: undefined, port }));
}

function peerOf(host: string | undefined): IPeer {
  return host === undefined ? Peer.anyIpv4() : Peer.ipv4(`${host}/32`);
}
