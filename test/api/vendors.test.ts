import { expect, test } from 'vitest';
import { fetchFrom, json, serve } from './support/serve.ts';
import { type Row, VENDORS } from './support/vendors.ts';

/* Listings of 57 players as known APIs page them, read with nothing but the path. */

const ROWS: readonly Row[] = Array.from({ length: 57 }, (_, at) => ({
  Id: 3000 + at,
  Label: `Display ${at}`,
}));

/** Those that are read whole at once; any other is asked about, and each question names a setting. */
const WHOLE = new Set([
  'Salesforce',
  'ServiceNow',
  'HubSpot',
  'Graph',
  'SharePoint verbose',
  'Confluence',
  'Google',
  'YouTube',
  'Zendesk',
  'Zendesk cursor',
  'GitHub search',
  'GitLab',
  'Kubernetes',
  'Meilisearch',
  'Meili search',
  'Jira',
  'Slack',
  'WordPress',
  'NetSuite',
  'Zoho',
  'Okta',
  'AWS NextToken',
  'Dataverse',
  'Laravel',
  'Yodeck-like',
  'Elasticsearch from/size',
  'OpenSearch old total',
  'Cosmos',
  'Algolia',
  'SCIM',
  'Jira search jql',
  'Solr',
  'Airtable',
  'DataTables',
  'Spring',
  'Broadsign-like',
  'Xibo-like',
  'Screenly-like PostgREST',
]);

test.each(VENDORS)('$name is read whole, or asked about; never green and short', async ({ name, answer }) => {
  await using server = await serve((request, response) => {
    const {
      origin,
      pathname: path,
      searchParams: query,
    } = new URL(request.url ?? '', `http://${request.headers.host}`);
    const { body, headers } = answer({ rows: ROWS, query, here: `${origin}${path}`, path });
    json(response, JSON.stringify(body), headers);
  });
  const { end } = await fetchFrom(server.url, 'players');
  const isAsked = (end.question?.cures ?? []).length > 0;
  const isWhole = end.errorCode === null && end.items === ROWS.length;
  expect({ isWhole, isAsked }).toEqual({ isWhole: WHOLE.has(name), isAsked: !WHOLE.has(name) });
});
