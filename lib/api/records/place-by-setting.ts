import type { Cure } from '../../sources/question.ts';
import type { Container } from '../body/scan.ts';
import { without } from './beside-records.ts';
import { fewRecords, somethingIn } from './few-records.ts';
import { type Envelope, parseEnvelope } from './items-path.ts';
import { containerAt } from './member-at.ts';
import { unknownEnvelope } from './questions.ts';
import { readAt } from './read-at.ts';
import { type EnvelopeOptions, type Shape, shapeAt } from './shape.ts';
import { jsonTextAt } from './texts-and-rows.ts';

/** The place in the setting `items`. Throws ListingError ENVELOPE_UNKNOWN where the records are not there. */
export function placeBySetting(options: EnvelopeOptions, setting: string): Shape {
  const { container: root, isLines } = options.body.scan;
  const wanted = parseEnvelope(setting);
  const refuse = (why: string, others: readonly Cure[] = []) =>
    unknownEnvelope(options, `The setting items is ${JSON.stringify(setting)}, ${why}`, { others });
  if (wanted === null) throw refuse('which is no path');
  const container = containerAt(root, wanted.path);
  if (wanted.form === 'text') {
    const shape = inText(options, wanted);
    if (shape === undefined) throw refuse('but no text is there that is a list as JSON');
    return shape;
  }
  if (wanted.form === 'lines' && container?.kind === 'object')
    return shapeAt({ path: [], form: 'record', container }, { ...options, envelope: wanted });
  if (wanted.form === 'lines' && container !== null && isLines)
    return shapeAt({ ...wanted, container }, options);
  const found = container === null ? undefined : readAt(options, { container, wanted });
  const shape = found ?? fewRecords(options, wanted);
  if (shape !== undefined) return shape;
  const there = container === null ? 'nothing is there' : `an ${container.kind} is there`;
  throw refuse(`but ${there}`, curesOfFew(options, container));
}

/** The settings that help where a parent has one child, or none, and nothing else proves it. */
function curesOfFew(options: EnvelopeOptions, there: Container | null): readonly Cure[] {
  const setting = `resources.${options.resource.name}`;
  if (options.resource.parent === null || there?.kind === 'array') return [];
  if (there !== null)
    return [{ setting: `${setting}.id`, choices: [], open: 'a field of that object', when: ONE }];
  const names = somethingIn(options);
  return names.includes('$') ? [] : [{ setting: `${setting}.ignore`, choices: [[...names]], when: NONE }];
}

const NONE = 'these members are no records, and this parent has none';
const ONE = 'it is the one record of its parent';

function inText(options: EnvelopeOptions, wanted: Envelope): Shape | undefined {
  const { bytes, scan } = options.body;
  const text = jsonTextAt(options.body, wanted);
  if (text === undefined) return undefined;
  const all = { from: 0, to: bytes, first: 0, children: 1, objects: 0, arrays: 0, colons: 0, path: [] };
  const container: Container = scan.container ?? { ...all, kind: 'array', cuts: [], members: [] };
  const rest = wanted.each && { rest: without(text.slice(1, -1), wanted.each.path) };
  return shapeAt({ ...wanted, container, text, ...rest }, options);
}
