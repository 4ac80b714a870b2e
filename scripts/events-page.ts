import * as z from 'zod';
import { EVENT_DETAILS, EVENT_SOURCE, type EventType } from '#lib/news/events.ts';
import { FINDINGS } from '#lib/report/findings.ts';
import { withRows } from './page-parts.ts';

/** When each event comes, as a sentence. */
const WHEN: Readonly<Record<EventType, string>> = {
  'Run Committed': 'A run, repair or rebuild has committed; `status` is complete, partial or failed.',
  'Run Failed': 'An execution ended without a commit, so the tables are as the run before left them.',
  Drift:
    'Values do not fit their column, or an answer has another shape, and the run before had no such drift.',
  Question: 'You have something to decide that the run before did not ask.',
  'Finding Worse': 'A finding of the page has more rows than at the run before.',
};

/** docs/run/events.schema.json: the JSON schema of each event's detail by its type. */
export function eventSchemas(): string {
  const types = Object.entries(EVENT_DETAILS) as [EventType, z.ZodType][];
  const lines = types.map(([type, shape]) => {
    const { $schema: _, ...schema } = z.toJSONSchema(shape);
    return `    ${JSON.stringify(type)}: ${JSON.stringify({ description: WHEN[type], ...schema })}`;
  });
  const head = '  "$schema": "https://json-schema.org/draft/2020-12/schema",';
  return ['{', head, '  "$defs": {', lines.join(',\n'), '  }', '}', ''].join('\n');
}

/** docs/run/events.md with the events and findings of lib. */
export function eventsPage(page: string): string {
  const events = withRows(page, '`detail-type`', Object.entries(WHEN));
  const findings = FINDINGS.map(({ id, many, view }) => [`\`${id}\``, `${many} (\`${view}\`)`]);
  const filled = withRows(events, '`finding`', findings);
  return filled.replace(/"source": \["[^"]*"\]/, `"source": ["${EVENT_SOURCE}"]`);
}
