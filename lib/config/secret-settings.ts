import { fieldOf, valueAt } from './config-faults.ts';

/** The settings that name secrets, those of sources first. */
export function namedSecrets(config: unknown) {
  const sources = valueAt(config, ['sources']);
  const paths: readonly (readonly (string | number)[])[] = [
    ...(Array.isArray(sources) ? sources : []).map((_, index) => ['sources', index, 'secret']),
    ...[['maskSecret'], ['notify', 'webhookSecret']],
  ];
  return paths.flatMap((path) => {
    const name = valueAt(config, path);
    return typeof name === 'string' ? [{ path, name }] : [];
  });
}

/** The settings `mask` of all listings, each with its field. */
export function masksOf(config: unknown): readonly (readonly [string, unknown])[] {
  const sources = valueAt(config, ['sources']);
  return (Array.isArray(sources) ? sources : []).flatMap((source: unknown, index) =>
    Object.entries(valueAt(source, ['resources']) ?? {}).map(
      ([name, resource]) =>
        [fieldOf(['sources', index, 'resources', name, 'mask']), valueAt(resource, ['mask'])] as const,
    ),
  );
}
