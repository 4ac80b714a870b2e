import type { Config } from '../lib/config/config.ts';

/** The settings that name secrets, each with the name or ARN. */
export function secretsOf({
  sources,
  maskSecret,
  notify,
}: Config): readonly (readonly [setting: string, name: string])[] {
  const named = { maskSecret, 'notify.webhookSecret': notify?.webhookSecret };
  return [
    ...sources.map(({ secret }, index) => [`sources[${index}].secret`, secret] as const),
    ...Object.entries(named).flatMap(([setting, name]) =>
      name === undefined ? [] : [[setting, name] as const],
    ),
  ];
}
