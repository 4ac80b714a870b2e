import { describe, expect, it } from 'vitest';
import { refuseMisfits } from '../../infra/refuse-misfits.ts';
import { at, env, vpc } from './settings.ts';
import { configWith, templateOf } from './synthesized.ts';

/** Hosts where a function finds nobody but itself, whatever network it is in. */
const ITSELF = ['http://localhost', 'http://[::1]:8080', 'https://0.0.0.0', 'https://0x7f000001'];

/** Hosts that a network has, and the internet has not. */
const PRIVATE = [
  'https://10.0.0.8:8443',
  'https://172.16.0.1',
  'https://192.168.1.10',
  'https://signage',
  'https://signage.corp.local',
];
const PUBLIC = [
  'https://signage.example.com:8443',
  'https://172.32.0.1',
  'https://notlocalhost.com',
  'https://1.1.1.1',
];

describe('synth refuses a server', () => {
  const deployed =
    (settings: object, target = env) =>
    () =>
      refuseMisfits(configWith({ ...settings }), target);

  it.each(ITSELF)('at %s, with a VPC or without', (baseUrl) => {
    const sources = [at(baseUrl)];
    const says = `sources[0].baseUrl is ${JSON.stringify(new URL(baseUrl).origin)}, where a function on AWS finds nobody but itself: write the host by which other machines reach the server.`;
    expect(deployed({ sources })).toThrow(says);
    expect(deployed({ sources, vpc })).toThrow(says);
    expect(() => templateOf({ sources })).toThrow(says);
  });

  it.each(PRIVATE)('at %s without a VPC, not with one', (baseUrl) => {
    const sources = [at('https://a.example.com'), { ...at(baseUrl), name: 'b' }];
    expect(deployed({ sources })).toThrow(
      `sources[1].baseUrl is ${JSON.stringify(baseUrl)}, which is in a private network`,
    );
    expect(deployed({ sources, vpc })).not.toThrow();
  });

  it.each(PUBLIC)('not at %s', (baseUrl) => {
    expect(deployed({ sources: [at(baseUrl)] })).not.toThrow();
    expect(deployed({ sources: [at(baseUrl)], vpc })).not.toThrow();
  });

  it('of this machine, but for an emulator of AWS, whose account AWS gives to nobody', () => {
    const sources = [at('http://127.0.0.1:8080')];
    expect(deployed({ sources }, { ...env, account: '000000000000' })).not.toThrow();
  });
});
