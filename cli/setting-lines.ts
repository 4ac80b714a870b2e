import type { Cure, Question } from '#lib/sources/question.ts';

/** The names of a config's sources, in their order. */
export type SourceNames = readonly string[];

/**
 * The settings for a question, each as a line with its place in the config and its condition. Example:
 * `sources[0].resources.players.complete: true, if 100 is the right number today`.
 */
export function settingLines(
  { source, cures }: Pick<Question, 'source' | 'cures'>,
  names: SourceNames,
): readonly string[] {
  return cures.map(({ setting, choices, open, when }) => {
    const values = [
      ...choices.map((choice) => JSON.stringify(choice)),
      ...(open === undefined ? [] : [`<${open}>`]),
    ];
    const value = values.length === 0 ? '<what is right>' : values.join(' or ');
    return `${placeIn(names, source, setting)}: ${value}${when === undefined ? '' : `, if ${when}`}`;
  });
}

/** `sources[0].resources.players.complete`; its name if the config lacks the source. */
function placeIn(names: SourceNames, source: string, setting: Cure['setting']): string {
  const index = names.indexOf(source);
  return index === -1 ? `source ${source}: ${setting}` : `sources[${index}].${setting}`;
}
