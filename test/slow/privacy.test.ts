import { expect, it } from 'vitest';
import { describeRun } from '#cli/print-run.ts';
import { fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';
import { hide, hmac, players } from '../support/hidden-player.ts';
import { expectOneTypeAColumn } from '../support/one-type.ts';

it('masked values are their HMAC and dropped ones are nowhere, from the first run on', async () => {
  await using lab = await fixtureLab(players('a@example.com', '0123'), hide);
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', players('b@example.com', '0456'));
  expect(await lab.rows('select * exclude (exported_at, export_run_id) from players')).toEqual([
    {
      export_source: 'berlin',
      record_key: '1',
      player_id: '1',
      contact_phone: null,
      email: hmac('b@example.com'),
      id: 1,
    },
  ]);
  expect(await lab.rows('select column_name, old_value, new_value from changes')).toEqual([
    { column_name: 'email', old_value: hmac('a@example.com'), new_value: hmac('b@example.com') },
  ]);
});

it('hiding what was published before hides it in every day, in changes and in rejects', async () => {
  await using lab = await fixtureLab(players('a@example.com', '0123'));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', players('b@example.com', '0456'));
  const hidden = await lab.run('2026-11-22T03:00:00Z', undefined, hide);
  expect(hidden.sources[0]?.questions).toEqual([]);
  expect(hidden.hidden).toEqual(['players.contact_phone', 'players.email']);
  expect(describeRun(hidden, { lake: 'lake' }).at(-1)).toMatch(
    /^Hidden in all days since this run: players.contact_phone, players.email\..*S3 keeps their versions a day longer, and Athena .* 30 days/,
  );
  expect(await lab.rows('select export_date, email from players_daily order by all')).toEqual([
    { export_date: '2026-11-20', email: hmac('a@example.com') },
    { export_date: '2026-11-21', email: hmac('b@example.com') },
    { export_date: '2026-11-22', email: hmac('b@example.com') },
  ]);
  expect(await lab.rows('select column_name, old_value, new_value from changes')).toEqual([
    { column_name: 'email', old_value: hmac('a@example.com'), new_value: hmac('b@example.com') },
  ]);
  await expectOneTypeAColumn(lab.folder);
  expect(await lab.rows('select distinct contact_phone from players_daily')).toEqual([
    { contact_phone: null },
  ]);
  expect(await lab.rows("select count(*) n from changes where column_name = 'contact_phone'")).toEqual([
    { n: 0 },
  ]);
});

it('what one of two sources drops is hidden in its rows of every day, and stays in those of the other', async () => {
  const sources = (url: string, drop: readonly string[]) =>
    ['berlin', 'paris'].map((name) => ({
      name,
      kind: 'signage',
      baseUrl: url,
      secret: `lab/${name}`,
      requestsPerSecond: null,
      ...(name === 'paris' && { resources: { players: { drop } } }),
    }));
  const note = (text: unknown) => ({
    [`${SIGNAGE}/Players`]: { body: JSON.stringify([{ Id: 1, Note: text, Size: 1 }]) },
  });
  await using lab = await fixtureLab(note('one'));
  const { url } = lab.server;
  const run = (day: number, text: unknown, drop: readonly string[] = []) =>
    lab.run(`2026-11-${day}T03:00:00Z`, note(text), { config: { sources: sources(url, drop) } });
  await run(20, 'one');
  await run(21, 'two');
  await run(22, 'three', ['Note']);
  await run(23, 'four', ['Note']);
  const notes = "string_agg(distinct note, ',' order by note) as notes";
  expect(await lab.rows(`select export_source, ${notes} from players_daily group by all order by 1`)).toEqual(
    [
      { export_source: 'berlin', notes: 'four,one,three,two' },
      { export_source: 'paris', notes: null },
    ],
  );
  const changed = "select export_source, count(*) n from changes where column_name = 'note' group by all";
  expect(await lab.rows(changed)).toEqual([{ export_source: 'berlin', n: 3 }]);
  expect(
    await lab.rows("select count(*) n from changes where new_value = 'two' or old_value = 'two'"),
  ).toEqual([{ n: 2 }]);
  await expectOneTypeAColumn(lab.folder);
});

it('what a source drops does not come back in rejects where the column is read anew in the same run', async () => {
  const config = (url: string, isLater: boolean) => ({
    sources: ['berlin', 'paris'].map((name) => ({
      name,
      kind: 'signage',
      baseUrl: url,
      basePath: `/${name}`,
      secret: `lab/${name}`,
      requestsPerSecond: null,
      ...(isLater && name === 'berlin' && { timeZone: 'Europe/Berlin' }),
      ...(isLater && {
        resources: {
          players: name === 'paris' ? { drop: ['Seen'] } : { columns: { seen: { type: 'timestamp' } } },
        },
      }),
    })),
  });
  const of = (name: string, seen: string) => ({
    [`/${name}/v1.12/Players`]: { body: JSON.stringify([{ Id: 1, Seen: seen }]) },
    [`/${name}/v1.12/Licenses`]: { body: '[]' },
    [`/${name}/v1.12/AppGroups`]: { body: '[]' },
    [`/${name}/v1.12/Players/1/Screens`]: { body: '[]' },
    [`/${name}/v1.12/Players/1/PendingFileTransfers`]: { body: '[]' },
  });
  const routes = { ...of('berlin', '2026-11-19T10:00:00'), ...of('paris', 'Anna Muster') };
  await using lab = await fixtureLab(routes);
  const run = (day: number, isLater: boolean) =>
    lab.run(`2026-11-${day}T03:00:00Z`, routes, { config: config(lab.server.url, isLater) });
  await run(20, false);
  await run(21, true);
  expect(
    await lab.rows('select export_source, seen::varchar as seen from players_daily order by all'),
  ).toEqual([
    { export_source: 'berlin', seen: '2026-11-19 09:00:00' },
    { export_source: 'berlin', seen: '2026-11-19 09:00:00' },
    { export_source: 'paris', seen: null },
    { export_source: 'paris', seen: null },
  ]);
  expect(await lab.rows("select * from rejects where raw_value like '%Muster%'")).toEqual([]);
});

it('a name that no record has is a question, not a leak in silence', async () => {
  const settings = { ...hide, signage: { resources: { players: { mask: ['Mail'] } } } };
  await using lab = await fixtureLab(players('a@example.com', '0123'), settings);
  const summary = await lab.run('2026-11-20T03:00:00Z');
  expect(summary.sources[0]?.questions).toEqual([
    'players: drop or mask names "Mail", which no record has: check its spelling against the API.',
  ]);
});

it('what is hidden within a list is hidden with the list, and a question says so once', async () => {
  const contacts = [{ Phone: '0123', Ok: 1 }, [{ Phone: '0456' }], [{ Phone: '0789' }]];
  const body = JSON.stringify(contacts.map((Contact, index) => ({ Id: index + 1, Contact })));
  const settings = { signage: { resources: { players: { drop: ['Contact.Phone', 'Contact.Ok.Mail'] } } } };
  await using lab = await fixtureLab({ [`${SIGNAGE}/Players`]: { body } }, settings);
  const summary = await lab.run('2026-11-20T03:00:00Z');
  expect(JSON.stringify(await lab.rows('select * from players'))).not.toMatch(/0123|0456|0789/);
  const asked = summary.sources[0]?.questions.map((text) => text.match(/"[^"]*"/g)?.join(' '));
  expect(asked).toEqual([
    '"Contact.Phone" "Contact"',
    '"Contact.Ok.Mail" "Contact"',
    '"Contact.Ok.Mail" "Contact.Ok"',
  ]);
});
