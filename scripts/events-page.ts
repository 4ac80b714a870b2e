import * as z from 'zod';
import { EVENT_DETAILS, EVENT_SOURCE, type EventType } from '#lib/news/events.ts';
import { FINDINGS } from '#lib/report/findings.ts';

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
  const schemas = types.map(([type, shape]) => {
    const { $schema: _, ...schema } = z.toJSONSchema(shape);
    return [type, { description: WHEN[type], ...schema }] as const;
  });
  const lines = schemas.map(([type, schema]) => `    ${JSON.stringify(type)}: ${JSON.stringify(schema)}`);
  const head = '  "$schema": "https://json-schema.org/draft/2020-12/schema",';
  return ['{', head, '  "$defs": {', lines.join(',\n'), '  }', '}', ''].join('\n');
}

/** docs/run/events.md: the events and messages of a deployed installation. */
export function eventsPage(): string {
  return `# Events and messages

<!-- \`npm run docs\` writes this page from lib/news. -->

\`\`\`json
{ "source": ["${EVENT_SOURCE}"], "detail": { "installation": ["signage"] } }
\`\`\`

This pattern of a rule finds the events of an installation in the account's default bus. \`notify\` sends messages too:

\`\`\`jsonc
"notify": { "webhookSecret": "signage-export/webhook", "form": "teams", "runs": "partial", "findings": 1 }
\`\`\`

A deployed installation tells of every execution that ends. No run waits for it.

- There are three ways: events, a topic and a webhook. Each way is told of a run once.
- A way that refuses is tried again after one and two minutes, by itself. After three tries the alarm "news not told" goes off.
- If a call is killed while it tells a way, nobody knows whether the message came. It is not sent again; the alarm says so.
- Findings, drift and questions are new since the run that this way heard of last. So the next message has what one missed.
- EventBridge may take a part of a run's events. Then all come again, with the same \`runId\` and \`attempt\`.

## Events

| \`detail-type\` | when it comes |
| --- | --- |
${Object.entries(WHEN)
  .map(([type, when]) => `| ${type} | ${when} |`)
  .join('\n')}

[events.schema.json](events.schema.json) has the JSON schema of each \`detail\`. A field is never taken away while \`version\` is 1.

At most 50 of a kind come with one run; \`Run Committed\` has the counts. EventBridge takes 256 KB. So names are cut to 80
bytes, sentences to 2,000, and the list of sources to 100,000 (\`moreSources\`).

## Findings

| \`finding\` | rows are counted that |
| --- | --- |
${FINDINGS.map(({ id, many, view }) => `| \`${id}\` | ${many} (\`${view}\`) |`).join('\n')}

## Messages

\`notify\` in the config names who gets at most one message a run. It tells of runs by \`runs\`, and of new or more
findings, drift and questions by \`findings\`. It may have names of players, screens and storages, and no other value of a record.

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

A webhook is tried five times, and again after one and two minutes. If it does not answer within 10 s, the message comes
again with the same id. In the form \`json\` the body has:

- \`version\`, \`installation\`, \`runId\`, \`attempt\` and \`status\`;
- \`text\`: all in words, with at most 20 sources;
- \`findings\`, each as in the event, and \`news\`: counts by kind, as in \`Run Committed\`;
- the numbers of new \`drift\` and \`questions\`, and \`report\`: the address of the page.

| header | has |
| --- | --- |
| \`x-signage-export-id\` | RUN_ID.A, the same for each try |
| \`x-signage-export-timestamp\` | seconds since 1970 |
| \`x-signage-export-signature\` | \`v1=\` and the HMAC-SHA-256 of \`TIMESTAMP.BODY\` by the key, in hex |

Check the signature, and refuse what is older than five minutes.
`;
}
