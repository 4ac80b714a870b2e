import { BlockList, isIP } from 'node:net';
import type { Config } from '../lib/config/config.ts';
import type { DeployTarget } from './deploy-target.ts';
import { MOST_DESTINATIONS, OPEN_PORT, portOf } from './network.ts';

/**
 * The account of emulators of AWS: their functions run on this machine and reach its servers. AWS assigns
 * this number to nobody.
 */
const EMULATED_ACCOUNT = '000000000000';

/** The APIs and DNS servers that the deployed functions cannot reach. */
export function* unreachableHosts(config: Config, target: Partial<DeployTarget>): Iterable<string> {
  if (target.account === EMULATED_ACCOUNT) return;
  const apis = config.sources.map(({ baseUrl }, index) => ({
    setting: `sources[${index}].baseUrl`,
    value: baseUrl,
    host: new URL(baseUrl).hostname.replace(/\.$/, ''),
  }));
  const resolvers = (config.vpc?.dnsServers ?? []).map((address, index) => ({
    setting: `vpc.dnsServers[${index}]`,
    value: address,
    host: address,
  }));
  for (const each of [...apis, ...resolvers]) {
    const says = unreachable(each.host, apis.includes(each), config.vpc !== undefined);
    if (says !== undefined) yield `${each.setting} is ${JSON.stringify(each.value)}${says}`;
  }
  if (config.vpc !== undefined) yield* portsBeyondRules(config);
}

/** Addresses of the caller, its link, or no one machine. @see https://www.iana.org/assignments/iana-ipv4-special-registry */
const NOBODY_ELSE = blockList([
  ...['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3'],
  ...['::/127', 'fe80::/10', 'ff00::/8'],
]);
/** Addresses for a network's own machines, which the internet does not have. */
const PRIVATE = blockList([
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '198.18.0.0/15'],
  ...['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'],
]);
const LOOPBACK_NAME = /(^|\.)localhost(\.localdomain)?$/;
/** Names that the internet's DNS never has. @see https://www.rfc-editor.org/rfc/rfc6761 rfc6762, rfc8375 */
const PRIVATE_NAME =
  /^[^.]+$|\.(local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|test|example|invalid)$/;

/** Why functions on AWS do not reach a host; undefined where they may. */
function unreachable(host: string, isApi: boolean, hasVpc: boolean): string | undefined {
  if (LOOPBACK_NAME.test(host) || isIn(NOBODY_ELSE, host))
    return ', where a function on AWS finds nobody but itself: write the host by which other machines reach the server.';
  if (!isApi) return undefined;
  if (isIP(withoutBrackets(host)) === 6)
    return ', but list and collect reach IPv4 alone: name the host, or its IPv4 address.';
  const isPrivate = isIP(host) === 0 ? PRIVATE_NAME.test(host) : isIn(PRIVATE, host);
  return isPrivate && !hasVpc
    ? ', which is in a private network, and without vpc the functions reach the internet alone: set vpc with subnets from which the server is reached, or write its public host.'
    : undefined;
}

function* portsBeyondRules({ sources }: Config): Iterable<string> {
  const ports = new Map(sources.map(({ baseUrl }, index) => [portOf(baseUrl), { baseUrl, index }]));
  ports.delete(OPEN_PORT);
  const beyond = [...ports.values()][MOST_DESTINATIONS];
  if (beyond !== undefined)
    yield `sources[${beyond.index}].baseUrl is ${JSON.stringify(beyond.baseUrl)}; with vpc the sources have ${ports.size} different ports beside ${OPEN_PORT}, and a security group of AWS has rules for ${MOST_DESTINATIONS}: put a proxy with one port in front of the APIs, or deploy them as several installations.`;
}

function isIn(list: BlockList, host: string): boolean {
  const address = withoutBrackets(host);
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

function blockList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
