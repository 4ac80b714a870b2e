import type { FleetDay } from '../healthy/fleet.ts';
import type { Alarm } from '../healthy/oracle.ts';
import { CHANGE_DAY, type Change, seenOf } from './draw-change.ts';

interface Question {
  readonly resource: string;
  readonly column?: string;
  readonly says: string;
  readonly cures: readonly { readonly setting: string }[];
}

/** What a person is told of a run: what it prints, or the error that ended it. */
export interface Told {
  readonly exitCode: number;
  readonly error?: string;
  readonly leftOut?: readonly { readonly name: string; readonly asOf: string | null }[];
  readonly sources: readonly {
    readonly name: string;
    readonly questions: readonly Question[];
    readonly notes?: readonly { readonly code: string; readonly says: string }[];
  }[];
}

export interface Judging {
  readonly change: Change;
  readonly days: readonly FleetDay[];
  readonly told: Told;
  /** The names that the field may have as a column. */
  readonly columns: readonly string[];
  /** The name of the source that changes. */
  readonly source: string;
}

/** What is wrong with the report of a change: it must name table, column, before, after and a way forward. */
export function judgeReport(judging: Judging): readonly Alarm[] {
  const { change } = judging;
  const alarm = (kind: string, says: string): readonly Alarm[] => [{ day: CHANGE_DAY, kind, says }];
  const { told } = judging;
  if (change.kind === 'source') return judgeSource(judging, alarm);
  const { table, field } = change.field;
  const all = JSON.stringify(told).slice(0, 1500);
  const own = told.sources
    .filter(({ name }) => name === judging.source)
    .flatMap(({ questions }) => questions)
    // Where all times shift, a column with too few comparable times is told by its neighbours.
    .filter(
      ({ resource, column }) =>
        resource === table && (change.change.areAll === true || judging.columns.includes(column ?? '')),
    );
  if (own.length === 0) return alarm(`silent: ${change.change.name}`, `${table}.${field}: ${all}`);
  if (told.exitCode === 0) return alarm(`exit code 0: ${change.change.name}`, all);
  const { before, after } = change.change.names(seenOf(judging.days, change));
  const says = own.map((each) => each.says).join('; ');
  if (!before.some((text) => says.includes(text)))
    return alarm(`no before: ${change.change.name}`, `${says} lacks ${before.slice(0, 3).join(' | ')}`);
  if (!after.some((text) => says.includes(text)))
    return alarm(`no after: ${change.change.name}`, `${says} lacks ${after.slice(0, 3).join(' | ')}`);
  if (own.every(({ cures }) => cures.length === 0))
    return alarm(`no way forward: ${change.change.name}`, says);
  const others = told.sources.flatMap(({ name, questions }) =>
    questions.map((each) => `${name} ${each.resource}.${each.column}: ${each.says}`),
  );
  if (change.change.areAll !== true && others.length > own.length)
    return alarm(`beside: ${change.change.name}`, others.join('; '));
  return [];
}

/** What the report of a change of sources must have, as regular expressions over all that is told. */
function judgeSource(
  { change, told, source }: Judging,
  alarm: (kind: string, says: string) => readonly Alarm[],
): readonly Alarm[] {
  if (change.kind !== 'source') return [];
  const text = `${told.error ?? ''} ${JSON.stringify(told.leftOut ?? [])} ${told.sources.flatMap(({ notes = [] }) => notes.map(({ says }) => says)).join(' ')}`;
  const musts: Readonly<Record<typeof change.change, readonly RegExp[]>> = {
    renamed: [new RegExp(source), /removed/, /"was": "/, /put the old name back/, /--accept-source-removal/],
    'left out of the config': [new RegExp(source), /removed/, /--accept-source-removal/],
    'left out of the run': [new RegExp(source), /2026-11-10/],
    added: [/new/, /\d+ records/],
    'zone moved': [/UTC/, /Pacific\/Pago_Pago/, /2026-11-10/, /Start it again when/, /put the old zone back/],
    'clock moved': [/clock/, /run-time/],
  };
  const lacking = musts[change.change].filter((must) => !must.test(text));
  return lacking.length === 0
    ? []
    : alarm(`${change.change}: lacks ${lacking.join(', ')}`, JSON.stringify(told).slice(0, 1500));
}
