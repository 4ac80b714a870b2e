import { describe, expect, it } from 'vitest';
import { questionText } from '#lib/sources/question.ts';
import { fixtureLab, SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const DAY_1 = '2026-11-20T03:00:00Z';
const DAY_2 = '2026-11-21T03:00:00Z';
const players = (...ids: readonly number[]) => ({
  body: JSON.stringify(ids.map((Id) => ({ Id, Name: 'n' }))),
});

describe('what a run asks reaches its summary as values', () => {
  it('of a listing that failed: the places where the records may be', async () => {
    await using lab = await signageLab({
      [`${SIGNAGE}/Licenses`]: { body: '{"data":[{"Id":1}],"items":[{"Id":2}]}' },
    });
    const [berlin] = (await lab.run(DAY_1)).sources;
    expect(berlin?.error).toMatchObject({ code: 'ENVELOPE_AMBIGUOUS' });
    expect(berlin?.error).not.toHaveProperty('asks');
    expect(berlin?.questions).toEqual([
      {
        code: 'ENVELOPE_AMBIGUOUS',
        source: 'berlin',
        resource: 'licenses',
        says: 'The records may be at data (array of 1) or items (array of 1)',
        cures: [{ setting: 'resources.licenses.items', choices: ['data', 'items'] }],
      },
    ]);
  });

  it('of children that failed, once for all parents that ask the same', async () => {
    const route = (id: number) => `${SIGNAGE}/Players/${id}/Screens`;
    await using lab = await signageLab({
      [`${SIGNAGE}/Players`]: players(1, 2, 3),
      [route(1)]: { body: '{"a":{"Id":1}}' },
      [route(2)]: { body: '{"b":{"Id":2},"more":1}' },
      [route(3)]: { body: '{"c":{"Id":3}}' },
    });
    const [berlin] = (await lab.run(DAY_1)).sources;
    expect(berlin?.questions.map(({ code, resource, cures }) => [code, resource, cures[0]?.choices])).toEqual(
      [
        ['ENVELOPE_UNKNOWN', 'screens', ['{}']],
        ['ENVELOPE_UNKNOWN', 'screens', []],
      ],
    );
  });

  it('not of an answer that a later one of the run explained', async () => {
    const route = (id: number) => `${SIGNAGE}/Players/${id}/Screens`;
    await using lab = await signageLab({
      [`${SIGNAGE}/Players`]: players(1, 2),
      [route(1)]: { body: '{"a":{"Id":1,"X":1}}' },
      [route(2)]: { body: '{"b":{"Id":2,"X":1},"c":{"Id":3,"X":1}}' },
    });
    const [berlin] = (await lab.run(DAY_1)).sources;
    expect(berlin).toMatchObject({ status: 'complete', questions: [] });
  });

  it('of what plan itself calls failed: a path that was renamed, children without an id, a key that is lost', async () => {
    await using lab = await signageLab({
      [`${SIGNAGE}/Players`]: { body: '[{"Model":"a"},{"Model":"a"}]' },
      [`${SIGNAGE}/Licenses`]: { status: 404, body: '{}' },
      [`${SIGNAGE}/AppGroups`]: { body: '[{"Id":1},{"Id":2}]' },
    });
    const [first] = (await lab.run(DAY_1)).sources;
    const asked = first?.questions.map(({ code, resource, cures }) => [
      code,
      resource,
      cures.map(({ setting }) => setting),
    ]);
    expect(asked).toEqual([
      ['RESOURCE_MISSING', 'licenses', ['basePath', 'apiVersion', 'resources.licenses.path']],
      ['ID_UNKNOWN', 'screens', ['resources.players.id']],
      ['ID_UNKNOWN', 'pending_file_transfers', ['resources.players.id']],
    ]);
    const messages = await lab.rows(
      'select distinct message from outcomes where error_code is not null order by 1',
    );
    expect(messages.map(({ message }) => message)).toEqual([
      'The records of players have no field that each of them has and that tells them apart. Set resources.players.id to a field that tells them apart.',
      'The server has no licenses (HTTP 404): its path was renamed, or the API version changed. Set basePath to where the API begins, or set apiVersion to what the server has, or set resources.licenses.path to where the listing is.',
    ]);
    const second = await lab.run(DAY_2, {
      [`${SIGNAGE}/AppGroups`]: { body: '[{"Code":"a"},{"Code":"b"}]' },
    });
    expect(second.sources[0]?.questions).toMatchObject([
      { code: 'SHAPE_CHANGED', resource: 'app_groups', cures: [{ setting: 'resources.app_groups.id' }] },
    ]);
  });

  it('of a key that is null in every record: nothing is removed for it', async () => {
    const groups = (...records: readonly object[]) => ({
      [`${SIGNAGE}/AppGroups`]: { body: JSON.stringify(records) },
    });
    await using lab = await signageLab(groups({ Id: 1, Name: 'a' }, { Id: 2, Name: 'b' }));
    await lab.run(DAY_1);
    const { sources } = await lab.run(DAY_2, groups({ Id: null, Name: 'a' }, { Id: null, Name: 'b' }));
    expect(sources[0]?.questions).toMatchObject([{ code: 'SHAPE_CHANGED', resource: 'app_groups' }]);
    const rows = await lab.rows('select record_key, name from app_groups order by all');
    expect(rows).toEqual([
      { record_key: '1', name: 'a' },
      { record_key: '2', name: 'b' },
    ]);
  });

  it('of columns, each source its own, and of drift', async () => {
    const created = (text: string) => ({ body: JSON.stringify([{ Id: 1, Created: text, Count: 1 }]) });
    await using lab = await fixtureLab({ [`${SIGNAGE}/Licenses`]: created('2026-11-20T03:00:00') });
    const [berlin, vault] = (await lab.run(DAY_1)).sources;
    const zone = { code: 'TIME_ZONE_UNKNOWN', source: 'berlin', resource: 'licenses', column: 'created' };
    expect(berlin?.questions).toMatchObject([{ ...zone, cures: [{ setting: 'timeZone', choices: [] }] }]);
    expect(berlin?.questions.map(questionText)).toEqual([
      'licenses.created: The times have no time zone. Set timeZone to the zone of the server\'s clock, such as "Europe/Berlin".',
    ]);
    expect(vault).toMatchObject({ questions: [], notes: [] });
    const drifted = { body: JSON.stringify([{ Id: 1, Created: '2026-11-20T03:00:00', Count: 'many' }]) };
    const [later] = (await lab.run(DAY_2, { [`${SIGNAGE}/Licenses`]: drifted })).sources;
    expect(later?.questions.map(({ code, column, cures }) => [code, column, cures[0]?.setting])).toEqual([
      ['TYPE_OUTGROWN', 'count', 'resources.licenses.columns.count.type'],
      ['TIME_ZONE_UNKNOWN', 'created', 'timeZone'],
    ]);
    expect(later?.drift).toEqual([
      expect.stringMatching(/^licenses\.count: 1 value is not of the type bigint, such as xxxx\. /),
    ]);
  });
});
