import { ConfigInvalid } from '#lib/config/config-faults.ts';
import { parseConfig } from '#lib/config/parse-config.ts';

export const berlin = {
  name: 'berlin',
  kind: 'signage',
  baseUrl: 'https://signage.example.com:8443',
  secret: 'signage-export/berlin',
};
export const vault = {
  name: 'vault',
  kind: 'backup',
  baseUrl: 'https://backup.example.com',
  accountId: '1042',
  secret: 'signage-export/vault',
};

export const least = { name: 'signage', sources: [berlin, vault] };
export const parse = (written: object) => parseConfig(JSON.stringify(written), 'export.config.json');

/** What a config is refused with; undefined where it is taken. */
export function refusal(written: object): ConfigInvalid | undefined {
  try {
    parse(written);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigInvalid) return error;
    throw error;
  }
}
