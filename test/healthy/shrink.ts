import type { Life, SourceLife } from './life.ts';
import type { LifeLab } from './life-lab.ts';
import type { Alarm } from './oracle.ts';

export interface Small {
  readonly life: Life;
  readonly alarm: Alarm;
}

/** The smallest life that still causes an alarm of that class, one change at a time. Throws where the life causes none. */
export async function shrunk(lab: Pick<LifeLab, 'live'>, life: Life, kind: string): Promise<Small> {
  const alarmIn = async (candidate: Life, days?: number): Promise<Alarm | undefined> => {
    const { alarms } = await lab.live(candidate, days === undefined ? {} : { days });
    return alarms.find((alarm) => alarm.kind === kind);
  };
  const found = await alarmIn(life);
  if (found === undefined) throw new Error(`this life causes no alarm of the class ${kind}`);
  let small: Small = {
    life: { ...life, events: life.events.filter(({ day }) => day <= found.day) },
    alarm: found,
  };
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smaller(small.life)) {
      const alarm = await alarmIn(candidate, small.alarm.day + 1);
      if (alarm === undefined) continue;
      small = { life: candidate, alarm };
      isSmaller = true;
      break;
    }
  }
  return small;
}

/** The lives that have one thing less. */
function* smaller(life: Life): Generator<Life> {
  const { sources, sizes, events } = life;
  const without = <Item>(items: readonly Item[], index: number) => items.filter((_, each) => each !== index);
  if (sources.length > 1)
    for (const index of sources.keys()) yield { ...life, sources: without(sources, index) };
  if (events.length > 1) yield { ...life, events: [] };
  for (const index of events.keys()) yield { ...life, events: without(events, index) };
  for (const [index, source] of sources.entries()) {
    const changed = (own: Partial<SourceLife>): Life => ({
      ...life,
      sources: sources.map((each, at) => (at === index ? { ...each, ...own } : each)),
    });
    for (const part of ['headers', 'beside'] as const) {
      const facts = source[part];
      if (facts.length > 1) yield changed({ [part]: [] });
      for (const at of facts.keys()) yield changed({ [part]: without<unknown>(facts, at) });
    }
    if (source.paged === 'all') yield changed({ paged: 'parents' });
  }
  for (const players of [0, 1, 2, 7].filter((count) => count < sizes.players))
    yield { ...life, sizes: { ...sizes, players } };
  for (const [name, least] of [
    ['groups', 1],
    ['licences', 1],
    ['storages', 1],
  ] as const)
    if (sizes[name] > least) yield { ...life, sizes: { ...sizes, [name]: least } };
  if (sizes.screens !== 'one') yield { ...life, sizes: { ...sizes, screens: 'one' } };
}

/** A life in a few words. */
export function shortOf({ sources, sizes, events }: Life): string {
  const sourceText = ({ kind, form, paged, size, beside, headers }: SourceLife) =>
    [
      `${kind} in ${form}`,
      ...(size === 0 ? [] : [`${size} a page (${paged})`]),
      ...[...beside, ...headers].map(({ name, day }) => (day === 0 ? name : `${name} since day ${day + 1}`)),
    ].join(', ');
  const counts = `${sizes.players} players, ${sizes.groups} groups, ${sizes.licences} licences, ${sizes.storages} storages, screens ${sizes.screens}`;
  const eventText = events.map(({ day, what }) => `${what} on day ${day + 1}`).join(', ');
  return [...sources.map(sourceText), counts, ...(eventText === '' ? [] : [eventText])].join('; ');
}
