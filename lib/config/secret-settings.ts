import { fieldOf, sourcesIn, valueAt } from './config-faults.ts';

/** The settings that name secrets, those of sources first. */
export function namedSecrets(config: unknown) {
  const paths: readonly (readonly (string | number)[])[] = [
    ...sourcesIn(config).map((_, index) => ['sources', index, 'secret']),
    ...[['maskSecret'], ['notify', 'webhookSecret']],
  ];
  return paths.flatMap((path) => {
    const name = valueAt(config, path);
    return typeof name === 'string' ? [{ path, name }] : [];
  });
}

/** The settings `mask` of all listings, each with its field. */
export function masksOf(config: unknown): readonly (readonly [string, unknown])[] {
  return sourcesIn(config).flatMap((source, index) =>
    Object.entries(valueAt(source, ['resources']) ?? {}).map(
      ([name, resource]) =>
        [fieldOf(['sources', index, 'resources', name, 'mask']), valueAt(resource, ['mask'])] as const,
    ),
  );
}
