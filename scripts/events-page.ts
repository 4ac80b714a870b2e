import * as z from 'zod';
import { EVENT_DETAILS, EVENT_SOURCE, type EventType } from '#lib/news/events.ts';
import { FINDINGS } from '#lib/report/findings.ts';

/** When each event comes, as a sentence. */
const WHEN: Readonly<Record<EventType, string>> = {
  'Run Committed':
    'A run, repair or rebuild has committed; `status` says whether it is complete, partial or failed.',
  'Run Failed': 'An execution ended without a commit. The tables are as the run before left them.',
  Drift:
    'Something drifts that did not at the run before: values that misfit their column, an answer of another shape.',
  Question: 'Something is to be decided that was not at the run before.',
  'Finding Worse': 'A finding of the page has more rows than at the run before.',
};

/** docs/events.md: the events and messages of a deployed installation. */
export function eventsPage(): string {
  const types = Object.entries(EVENT_DETAILS) as [EventType, z.ZodType][];
  return `# Events and messages

<!-- Written by \`npm run docs\` from lib/news. -->

A deployed installation tells of every execution that ends: the page, events, a message. No run waits for it. What could
not be told three times raises the alarm "news not told".

Each way of telling (events, topic, webhook) is told of a run by itself and once. What one refuses hides nothing from the
others, and is tried again after one and two minutes for that way alone. Where a call is killed while it tells a way, nobody
knows whether it came: it is not told again, and the alarm says so. Each way's findings, drift and questions are new since
the run that this way was told last, so what a way has missed stands in the next message that it takes. \`state/runs/RUN_ID/A/told.json\`
has what was told. Of a run's events EventBridge may take a part and refuse the rest: then those come again, with the same
\`runId\` and \`attempt\`.

## Events

They come to the account's default bus with \`"source": "${EVENT_SOURCE}"\`; a rule with this pattern finds those of an
installation:

\`\`\`json
{ "source": ["${EVENT_SOURCE}"], "detail": { "installation": ["signage"] } }
\`\`\`

At most 50 of a kind come with one run; \`Run Committed\` has the counts. Names are cut to 80 bytes, sentences to 2,000, and the
list of sources to 100,000 (\`moreSources\`), for EventBridge takes 256 KB. A field is never taken away while \`version\` is 1.

${types.map(([type, shape]) => eventSection(type, shape)).join('\n\n')}

## Findings

| \`finding\` | rows are counted that |
| --- | --- |
${FINDINGS.map(({ id, many, view }) => `| \`${id}\` | ${many} (\`${view}\`) |`).join('\n')}

## Messages

\`notify\` in the config names who gets at most one message a run: about a run that is partial or failed (\`runs\`), and about
findings, drift and questions that are new or more by \`findings\` than at the run before. Names of players, screens and
storages may stand in it, no other value of a record.

\`\`\`jsonc
"notify": { "webhookSecret": "signage-export/webhook", "form": "teams", "runs": "partial", "findings": 1 }
\`\`\`

\`\`\`sh
signage-export secret put signage-export/webhook --kind webhook   # the address, or {"url": "…", "key": "…"}
\`\`\`

| setting | default | meaning |
| --- | --- | --- |
| \`webhookSecret\` | — | name of the secret with the address; with its \`key\`, messages are signed |
| \`topicArn\` | — | an SNS topic; its key policy must let the role of NAME-news use it where it has a key of yours |
| \`form\` | \`json\` | what the webhook takes: \`json\`, \`slack\` or \`teams\` (a workflow with an adaptive card) |
| \`runs\` | \`partial\` | the runs that are told whatever they found: \`failed\`, \`partial\` (and failed), \`all\` |
| \`findings\` | 1 | a finding is told where it has so many more rows; null = none is |

A webhook is tried five times, and again after one and two minutes; one that took a message and did not answer within 10 s
hears it again with the same id. In the form \`json\` the body has \`version\`,
\`installation\`, \`runId\`, \`attempt\`, \`status\`, \`text\` (all in words, at most 20 sources), \`findings\` (each as in the event), \`news\` (counts by kind, as in
\`Run Committed\`), the numbers of new
\`drift\` and \`questions\`, and \`report\`, where the page is. Headers: \`x-signage-export-id\` (RUN_ID.A, the same for each try),
\`x-signage-export-timestamp\` (seconds) and \`x-signage-export-signature\`, \`v1=\` and the HMAC-SHA-256 of
\`TIMESTAMP.BODY\` by the key, in hex: check it, and refuse what is older than five minutes.
`;
}

function eventSection(type: EventType, shape: z.ZodType): string {
  const { $schema: _, ...schema } = z.toJSONSchema(shape);
  return `### ${type}

${WHEN[type]}

\`\`\`json
${JSON.stringify(schema, null, 1)}
\`\`\``;
}
