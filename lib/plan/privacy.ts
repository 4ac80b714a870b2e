import { type Config, sourceIfAny } from '../config/config.ts';
import { plainPath } from '../lake/raw/marks.ts';
import type { Path } from '../schema/columns/assign-names.ts';
import type { RecordKey } from '../schema/record-key.ts';
import type { Question } from '../sources/question.ts';
import type { ResourceSettings } from '../sources/resource-settings.ts';
import type { ResourceName } from '../sources/resources.ts';

type Privacy = Pick<ResourceSettings, 'drop' | 'mask'> | undefined;

/** True if the config drops or masks what the path's column shows: the value itself, or one that may be within it. */
export function isHidden(how: 'drop' | 'mask', settings: Privacy, path: Path): boolean {
  return settings?.[how].some((entry) => covers(entry, path) || mayLieWithin(entry, path)) === true;
}

interface MaybeHidden {
  readonly table: ResourceName;
  readonly source: string;
  readonly path: Path;
  /** Whether it was hidden until now. */
  readonly before: boolean;
}

/** The same for a source that may have left the config: what was hidden stays hidden. */
export function isHiddenBy(
  config: Pick<Config, 'sources'>,
  how: 'drop' | 'mask',
  { table, source, path, before }: MaybeHidden,
): boolean {
  const configured = sourceIfAny(config, source);
  return configured === undefined ? before : isHidden(how, configured.resources[table], path);
}

/**
 * Questions about `drop` and `mask`. They may name no record's field, or hide a column whole because of a
 * value within it. Or they hide an id, which record_key still shows.
 */
export function privacyQuestions(options: {
  readonly source: string;
  readonly table: ResourceName;
  readonly settings: Privacy;
  /** Every path that the source ever showed. */
  readonly paths: readonly Path[];
  /** The paths with present or past values that are not taken apart. */
  readonly values: readonly Path[];
  readonly key: RecordKey | undefined;
}): readonly Question[] {
  const { source, table, settings, paths, values, key } = options;
  const question = (code: string, says: string) => ({ code, source, resource: table, says, cures: [] });
  if (settings === undefined) return [];
  const entries = [...new Set([...settings.drop, ...settings.mask])];
  const unknown = entries
    .filter((entry) => ![...paths, ...values].some((path) => covers(entry, path)))
    .filter((entry) => !values.some((path) => mayLieWithin(entry, path)))
    .map((entry) =>
      question(
        'HIDDEN_PATH_UNKNOWN',
        `drop or mask names ${JSON.stringify(entry)}, which no record has: check its spelling against the API`,
      ),
    );
  const whole = entries.flatMap((entry) =>
    [...new Set(values.filter((path) => mayLieWithin(entry, path)).map(plainPath))].map((name) =>
      question(
        'HIDDEN_WHOLE',
        `drop or mask names ${JSON.stringify(entry)}, and ${JSON.stringify(name)} is a list or a text in some records. It is hidden as a whole, because the value may be within`,
      ),
    ),
  );
  const isOfKey =
    key?.kind === 'field' && (['drop', 'mask'] as const).some((how) => isHidden(how, settings, [key.field]));
  if (!isOfKey) return [...unknown, ...whole];
  const says = `${key.field} is the id: its column is hidden, but record_key still shows it, for tables are joined by it`;
  return [...unknown, ...whole, question('ID_HIDDEN', says)];
}

/**
 * A second value of a key in one object is hidden with the first. `Pin` covers `pin`, `PIN` and ` Pin`: a
 * second spelling in an API must not show what is hidden.
 */
function covers(entry: string, path: Path): boolean {
  return leadsTo(entry, plainPath(path));
}

/**
 * `Contact.Phone` may be within the value at `Contact`, unless that is an object that is taken apart. It may
 * be in a list, in an object that stays text, or in a text that holds JSON.
 */
function mayLieWithin(entry: string, path: Path): boolean {
  return leadsTo(plainPath(path), entry) && !covers(entry, path);
}

/** True if a name is the other one, or the name of an object above it. */
function leadsTo(above: string, name: string): boolean {
  return `${folded(name)}.`.startsWith(`${folded(above)}.`);
}

/** A reader sees ` Pin` and `pin` as one name. */
const folded = (name: string) =>
  name
    .toLowerCase()
    .split('.')
    .map((key) => key.trim())
    .join('.');
