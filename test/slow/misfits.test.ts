import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import { signageViewLab, type ViewLab } from '../queries/view-lab.ts';

const IDS = Array.from({ length: 37 }, (_, index) => index + 1);
const players = (more: (id: number) => object) => ({ players: IDS.map((Id) => ({ Id, ...more(Id) })) });
const numbers = players((id) => ({ LocationId: id }));

async function codes(lab: ViewLab, day: number, said: object) {
  const { status, sources } = await lab.run(`2026-11-${day}T03:00:00Z`, said);
  return [status, ...(sources[0]?.questions ?? []).map(({ code, column }) => `${code} ${column}`)];
}

describe('R12: values that do not have the type of their column are told on the first day', () => {
  it('18 of 37 numbers become text: the run is partial on each day, and the way forward works', async () => {
    await using lab = await signageViewLab();
    expect(await codes(lab, 20, numbers)).toEqual(['complete']);
    const half = players((id) => ({ LocationId: id <= 18 ? `L-${id}` : id }));
    expect(await codes(lab, 21, half)).toEqual(['partial', 'TYPE_MISFIT location_id']);
    const { status, sources } = await lab.run('2026-11-22T03:00:00Z', half);
    expect([status, sources[0]?.questions]).toMatchObject([
      'partial',
      [
        {
          code: 'TYPE_MISFIT',
          cures: [{ choices: ['varchar'], when: expect.stringContaining('`schema apply`') }],
        },
      ],
    ]);
    expect(await codes(lab, 23, numbers)).toEqual(['complete']);
  });

  it.each<readonly [string, object, (id: number) => unknown, readonly [string, string, readonly unknown[]]]>([
    [
      'texts that are no numbers',
      { type: 'bigint' },
      (id) => (id === 5 ? '12' : `L-${id}`),
      [
        '36 values are not of the type bigint that the config names, such as x-99 and x-9. Such cells are empty; the originals are in the table rejects',
        'resources.players.columns.seen.type',
        ['varchar'],
      ],
    ],
    [
      'times that are written in another way',
      { format: 'DD.MM.YYYY' },
      (id) => 1_795_182_047 + id,
      [
        '37 values are not of the type date that the config names, such as 9999999999. Such cells are empty; the originals are in the table rejects',
        'resources.players.columns.seen.format',
        ['unix-seconds'],
      ],
    ],
    [
      'switches that are called numbers',
      { type: 'double' },
      (id) => id % 2 === 0,
      [
        '37 values are not of the type double that the config names, such as true and false. Such cells are empty; the originals are in the table rejects',
        'resources.players.columns.seen.type',
        ['boolean'],
      ],
    ],
  ])(
    'the message shows how they are written and what fits; the originals are in rejects: %s',
    async (_, setting, seen, [says, cure, choices]) => {
      const resources = { players: { columns: { seen: setting } } };
      await using lab = await signageViewLab({ signage: { resources } });
      const said = players((id) => ({ Seen: seen(id) }));
      const { status, sources } = await lab.run('2026-11-20T03:00:00Z', said);
      const [question] = sources[0]?.questions ?? [];
      expect(status).toBe('partial');
      expect(question?.says).toBe(says);
      expect(question?.cures[0]).toMatchObject({ setting: cure, choices });
      const [kept] = await lab.rows(
        `select (select count(seen) from players)::int + (select count(*) from rejects)::int as n`,
      );
      expect(kept).toEqual({ n: 37 });
    },
  );

  it.each<readonly [string, (id: number) => unknown, string, object]>([
    [
      'words',
      (id) => (id % 2 === 0 ? 'ON' : 'STANDBY'),
      '37 values are not of the type boolean that views need of is_installed, such as xx and xxxxxxx. The views show them as unknown',
      { setting: 'resources.players.columns.power.values', choices: [] },
    ],
    [
      'numbers',
      (id) => id % 2,
      '37 values are not of the type boolean that views need of is_installed, such as 9. The views show them as unknown',
      { setting: 'resources.players.columns.power.type', choices: ['boolean'] },
    ],
  ])('a name by `as` whose type no value has is told on each day: %s', async (_, power, says, cure) => {
    const resources = { players: { columns: { power: { as: 'is_installed' } } } };
    await using lab = await signageViewLab({ signage: { resources } });
    const said = players((id) => ({ Power: power(id) }));
    for (const day of [20, 21]) {
      const { status, sources } = await lab.run(`2026-11-${day}T03:00:00Z`, said);
      const [question, ...others] = sources[0]?.questions ?? [];
      expect([status, question?.says, others.length]).toEqual(['partial', says, 0]);
      expect(question?.cures[0]).toMatchObject(cure);
    }
  });

  describe('a time zone that puts the last contacts after the run', () => {
    const RUN = Date.parse('2026-11-20T03:00:00Z');
    const local = (ms: number) => new Date(RUN + ms).toISOString().slice(0, 19).replace('T', ' ');
    const seen = (hours: number) => players((id) => ({ LastAccess: local(hours * HOUR_MS - id * 60_000) }));
    const withZone = (timeZone: string) => signageViewLab({ signage: { timeZone } });

    it.each([
      ['the right one', 'Europe/Moscow', seen(3)],
      ['a server with a clock that is 20 minutes ahead', 'Europe/Berlin', seen(4 / 3)],
      [
        'one player with a wrong clock',
        'Europe/Berlin',
        players((id) => ({ LastAccess: local(id === 3 ? 3 * HOUR_MS : HOUR_MS) })),
      ],
      [
        'times with a zone of their own',
        'America/New_York',
        players(() => ({ LastAccess: '2026-11-20T02:59:00Z' })),
      ],
      ['planned times', 'Europe/Berlin', players((id) => ({ NextContact: local(HOUR_MS * id) }))],
    ])('is not told of: %s', async (_, zone, said) => {
      await using lab = await withZone(zone);
      expect(await codes(lab, 20, said)).toEqual(['complete']);
    });
  });
});
