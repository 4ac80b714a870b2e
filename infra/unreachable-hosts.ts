import type { Config } from '../lib/config/config.ts';
import type { DeployTarget } from './deploy-target.ts';

/**
 * The account of emulators of AWS: their functions run on this machine and reach its servers. AWS assigns
 * this number to nobody.
 */
const EMULATED_ACCOUNT = '000000000000';
const ITSELF = /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;
/** Addresses and names of a private network, which the internet does not have. */
const PRIVATE =
  /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$|^[^.]+$|\.(local|internal|intranet|private|corp|home|lan)$/;

/** The APIs that the deployed functions cannot reach. */
export function* unreachableHosts(config: Config, target: Partial<DeployTarget>): Iterable<string> {
  if (target.account === EMULATED_ACCOUNT) return;
  for (const [index, { baseUrl }] of config.sources.entries()) {
    const host = new URL(baseUrl).hostname;
    const where = `sources[${index}].baseUrl is ${JSON.stringify(baseUrl)}`;
    if (ITSELF.test(host))
      yield `${where}, where a function on AWS finds nobody but itself: write the host by which other machines reach the server.`;
    else if (host.startsWith('['))
      yield `${where}, but list and collect reach IPv4 alone: name the host, or its IPv4 address.`;
    else if (config.vpc === undefined && PRIVATE.test(host))
      yield `${where}, which is in a private network, and without vpc the functions reach the internet alone: set vpc with subnets from which the server is reached, or write its public host.`;
  }
}
