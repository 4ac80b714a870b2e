import { describe, expect, it } from 'vitest';
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
    expect(await codes(lab, 22, half)).toEqual(['partial', 'TYPE_MISFIT location_id']);
    expect(await codes(lab, 23, numbers)).toEqual(['complete']);
  });

  it('one of 37 is told, and raises no alarm', async () => {
    await using lab = await signageViewLab();
    await codes(lab, 20, numbers);
    const one = players((id) => ({ LocationId: id === 1 ? 'L-1' : id }));
    expect(await codes(lab, 21, one)).toEqual(['complete', 'TYPE_OUTGROWN location_id']);
  });

  it.each([
    ['no times', { format: 'unix-seconds' }, () => ({ Seen: 'about noon' })],
    ['words', { type: 'timestamp' }, (id: number) => ({ Seen: `L-${id}` })],
  ])('a setting that fits none is told on the first run: %s', async (_, setting, more) => {
    const resources = { players: { columns: { seen: setting } } };
    await using lab = await signageViewLab({ signage: { resources } });
    expect(await codes(lab, 20, players(more))).toEqual(['partial', 'TYPE_MISFIT seen']);
  });

  it('a setting that fits is not asked about', async () => {
    const resources = { players: { columns: { seen: { format: 'unix-seconds' } } } };
    await using lab = await signageViewLab({ signage: { resources } });
    expect(
      await codes(
        lab,
        20,
        players((id) => ({ Seen: 1_795_182_047 + id })),
      ),
    ).toEqual(['complete']);
  });
});
