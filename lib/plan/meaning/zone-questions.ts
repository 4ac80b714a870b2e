import type { RunRecord } from '../../run/run-record.ts';
import { pathText } from '../../schema/columns/assign-names.ts';
import { FEW } from '../../schema/columns/misfits.ts';
import type { Trait } from '../../schema/columns/sampled.ts';
import type { Schema } from '../../schema/schema.ts';
import type { Question } from '../../sources/question.ts';
import { offsetsOf } from '../../time.ts';
import { columnsOfSource } from './columns-of-source.ts';
import { MANY } from './compared.ts';

const HALF_HOUR = 1800;
/** No two zones are further apart: a later time is planned. */
const MOST = 14 * 3600;
const EXAMPLES = 3;

/**
 * Asks about the source's `timeZone` if it puts more than a tenth of a column's times after the run. It reads
 * the columns that views need, because their times are in the past. Only local times can have a wrong zone.
 */
export function zoneQuestions(
  schema: Schema,
  options: {
    readonly source: string;
    readonly record: Pick<RunRecord, 'startedAt'>;
    /** TABLE.COLUMN of what views need. */
    readonly needed: ReadonlySet<string>;
  },
): readonly Question[] {
  const { source, record, needed } = options;
  const now = Date.parse(record.startedAt) / 1000;
  const all = columnsOfSource(schema, source).filter(({ sampled }) => sampled?.at === record.startedAt);
  return [...Map.groupBy(all, ({ column }) => column)].flatMap(([column, paths]): readonly Question[] => {
    const [first] = paths;
    const zone = column.readings[source]?.timeZone;
    if (zone === undefined || !needed.has(`${first?.resource}.${column.name}`)) return [];
    const offsetAt = offsetsOf(zone);
    const aheadAt = (seconds: number) => offsetAt(1000 * seconds) / 1000;
    const locals = paths.flatMap(
      ({ path, sampled }) => sampled?.traits[pathText(path.path)]?.flatMap(localOf) ?? [],
    );
    // A server's clock may be ahead by some minutes.
    const late = locals.filter((local) => local - aheadAt(local) > now + HALF_HOUR);
    const isPlanned = locals.some((local) => local > now + MOST);
    if (first === undefined || locals.length < MANY || isPlanned || late.length <= FEW * locals.length)
      return [];
    const hours = Math.round((Math.max(...late) - now) / HALF_HOUR) / 2;
    const examples = [...new Set(late.map(clockText))].slice(0, EXAMPLES).join(', ');
    const says = `Of ${locals.length} times that were compared, ${late.length} are after the run in the zone ${zone}, such as ${examples}. The run began at ${clockText(now + aheadAt(now))} of that zone`;
    const open = `the zone of the server's clock, which is about UTC${hours < 0 ? '' : '+'}${hours} h`;
    return [first.ask('TIME_ZONE_MISFIT', says, [{ setting: 'timeZone', choices: [], open }])];
  });
}

/** The seconds of a local time as if it were UTC; none for a time with a zone of its own. */
function localOf(trait: Trait): readonly number[] {
  if (typeof trait !== 'string' || !trait.startsWith('@')) return [];
  return /^9{4}|^9+[./]/.test(trait.slice(trait.indexOf('|') + 1)) && !HAS_ZONE.test(trait)
    ? [Number.parseFloat(trait.slice(1))]
    : [];
}

/** At the end of a form: `Z`, `UTC` or `+02:00`. */
const HAS_ZONE = /9x$|xxx$|[-+]99:?9*$/;

const clockText = (seconds: number) => new Date(1000 * seconds).toISOString().slice(0, 19).replace('T', ' ');
