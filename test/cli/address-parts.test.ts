import { expect, it } from 'vitest';
import { addressParts } from '#cli/address-parts.ts';

const faultOf = (setting: string, value: unknown) =>
  setting === 'apiVersion' && !/^\d+(\.\d+)*$/.test(String(value)) ? 'a version' : undefined;

it.each([
  ['https://host:8443', { baseUrl: 'https://host:8443' }],
  ['https://host/gv2/webservices/API', { baseUrl: 'https://host' }],
  ['https://host/gv2/webservices/API/v1.12', { baseUrl: 'https://host', apiVersion: '1.12' }],
  ['https://host/gv2/webservices/API/v1.14/Players/', { baseUrl: 'https://host', apiVersion: '1.14' }],
  ['https://host/gv2/webservices/API/v1.14/players', { baseUrl: 'https://host', apiVersion: '1.14' }],
  [
    'https://host/gv2/webservices/API/v1.12/Players/17/Screens',
    { baseUrl: 'https://host', apiVersion: '1.12' },
  ],
  ['https://host/proxy/api', { baseUrl: 'https://host', basePath: '/proxy/api' }],
  ['https://host/proxy/vault', { baseUrl: 'https://host', basePath: '/proxy/vault' }],
  ['https://host/v2.0/Licenses', { baseUrl: 'https://host', basePath: '', apiVersion: '2.0' }],
  ['https://host/api?key=1', { baseUrl: 'https://host/api?key=1' }],
  ['https://me:secret@host/api', { baseUrl: 'https://me:secret@host/api' }],
  ['host.example', { baseUrl: 'host.example' }],
])('of %s the host, the path and the version are told apart', (address, parts) => {
  expect(addressParts('signage', address, faultOf)).toEqual(parts);
});

it('of a backup API a path that is none of its listings is the basePath', () => {
  expect(addressParts('backup', 'https://host/cloud', () => 'no')).toEqual({
    baseUrl: 'https://host',
    basePath: '/cloud',
  });
});
