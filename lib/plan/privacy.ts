import { plainKey } from '../lake/raw/marks.ts';
import type { Path } from '../schema/columns/assign-names.ts';
import type { RecordKey } from '../schema/record-key.ts';
import type { Question } from '../sources/question.ts';
import type { ResourceSettings } from '../sources/resource-settings.ts';
import type { ResourceName } from '../sources/resources.ts';

type Privacy = Pick<ResourceSettings, 'drop' | 'mask'> | undefined;

/** True if the config drops the path's values: it names the path, or an object above it. */
export function isDropped(settings: Privacy, path: Path): boolean {
  return settings?.drop.some((entry) => covers(entry, path)) === true;
}

/** True if the config masks the path's values, which replaces them by their HMAC. */
export function isMasked(settings: Privacy, path: Path): boolean {
  return settings?.mask.some((entry) => covers(entry, path)) === true;
}

/** Questions about `drop` and `mask`: names that no record has, and ids, which record_key still shows. */
export function privacyQuestions(options: {
  readonly source: string;
  readonly table: ResourceName;
  readonly settings: Privacy;
  /** Every path that the source ever showed. */
  readonly paths: readonly Path[];
  readonly key: RecordKey | undefined;
}): readonly Question[] {
  const { source, table, settings, paths, key } = options;
  const question = (code: string, says: string) => ({ code, source, resource: table, says, cures: [] });
  if (settings === undefined) return [];
  const unknown = [...settings.drop, ...settings.mask]
    .filter((entry) => !paths.some((path) => covers(entry, path)))
    .map((entry) =>
      question(
        'HIDDEN_PATH_UNKNOWN',
        `drop or mask names ${JSON.stringify(entry)}, which no record has: check its spelling against the API`,
      ),
    );
  const isOfKey =
    key?.kind === 'field' && (isMasked(settings, [key.field]) || isDropped(settings, [key.field]));
  return isOfKey
    ? [
        ...unknown,
        question(
          'ID_HIDDEN',
          `${key.field} is the id: its column is hidden, but record_key still shows it, for tables are joined by it`,
        ),
      ]
    : unknown;
}

/**
 * A second value of a key in one object is hidden with the first. `Pin` covers `pin` and `PIN`: what is hidden must not
 * be seen because an API writes it in two ways.
 */
function covers(entry: string, path: Path): boolean {
  const name = path.map(plainKey).join('.').toLowerCase();
  const wanted = entry.toLowerCase();
  return name === wanted || name.startsWith(`${wanted}.`);
}
