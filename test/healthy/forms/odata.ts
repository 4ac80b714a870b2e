import { type Asked, type Form, linkTo, listName, partFrom, tokenPart } from './form.ts';

const ODATA = 'application/json;odata.metadata=minimal;odata.streaming=true';

const context = ({ origin, root, table }: Asked) => ({
  '@odata.context': `${origin}${root}/$metadata#${listName(table, 'pascal')}`,
});

/** OData, which names the next part by its address. */
export const ODATA_FORMS: readonly Form[] = [
  {
    name: 'OData v4, $skip',
    seenIn: 'ASP.NET Core OData with a PageSize',
    spelling: 'pascal',
    absent: 'null',
    size: 100,
    type: ODATA,
    answer: (asked) => {
      const { rows, from, size, isLast } = partFrom(asked, { at: '$skip', size: '$top' });
      return {
        body: {
          ...context(asked),
          value: [...rows],
          ...(!isLast && { '@odata.nextLink': linkTo(asked, { $skip: from + size }) }),
        },
        headers: { 'odata-version': '4.0' },
      };
    },
    plain: (asked) => ({
      body: { ...context(asked), value: [...asked.rows] },
      headers: { 'odata-version': '4.0' },
    }),
  },
  {
    name: 'OData v4, $skiptoken',
    seenIn: 'Microsoft Graph',
    spelling: 'camel',
    absent: 'null',
    size: 100,
    type: ODATA,
    answer: (asked) => {
      const { rows, next } = tokenPart(asked, { at: '$skiptoken', size: '$top' });
      return {
        body: {
          ...context(asked),
          ...(next !== null && { '@odata.nextLink': linkTo(asked, { $skiptoken: next }) }),
          value: [...rows],
        },
      };
    },
    plain: (asked) => ({ body: { ...context(asked), value: [...asked.rows] } }),
  },
  {
    name: 'OData v2',
    seenIn: 'SharePoint and SAP Gateway: d.results and __next',
    spelling: 'pascal',
    absent: 'null',
    size: 100,
    type: 'application/json;odata=verbose;charset=utf-8',
    record: (fields, { origin, root, table, id }) => {
      const uri = `${origin}${root}/${listName(table, 'pascal')}(${id})`;
      return { __metadata: { id: uri, uri, type: `Signage.${listName(table, 'pascal')}` }, ...fields };
    },
    answer: (asked) => {
      const { rows, next } = tokenPart(asked, { at: '$skiptoken', size: '$top' });
      return {
        body: {
          d: { results: [...rows], ...(next !== null && { __next: linkTo(asked, { $skiptoken: next }) }) },
        },
      };
    },
    plain: ({ rows }) => ({ body: { d: { results: [...rows] } } }),
  },
];
