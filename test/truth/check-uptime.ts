import { EPSILON, type Say, sumOf } from './telling.ts';
import type { Figures, Page } from './truth-lab.ts';

/** The share of the known hours of all screens, as the days of screens have it, which are judged by themselves. */
export function checkUptime({ trend }: Page['data'], { views }: Figures, say: Say): void {
  const screens = views.days.filter(({ level }) => level === 'screen');
  for (const [index, date] of trend.dates.entries()) {
    const own = screens.filter((row) => row['export_date'] === date);
    const known = sumOf(own, 'known_hours');
    const unknown = sumOf(own, 'unknown_hours');
    const isShown = known > 0 && known >= unknown;
    const share = !isShown ? null : (known - sumOf(own, 'off_hours')) / known;
    const told = trend.series.uptime[index] ?? null;
    // Where as much is known as is not, its sums may be told either way.
    if (told === null && Math.abs(known - unknown) < EPSILON) continue;
    if ((told === null) !== (share === null) || Math.abs((told ?? 0) - (share ?? 0)) > EPSILON)
      say(`${date}: screens were on for ${told} of the known time, and ${share} is true`);
    const unsure = sumOf(own, 'sampling_error_hours');
    const on = known - sumOf(own, 'off_hours');
    const ends = [on - unsure, on + unsure + unknown].map((hours) => hours / (known + unknown));
    const band = Math.max(...ends.map((end) => Math.abs(end - (share ?? 0))));
    if (share !== null && Math.abs((trend.series.uptime_error[index] ?? 0) - band) > EPSILON)
      say(`${date}: it may be ${trend.series.uptime_error[index]} more or less, and ${band} is true`);
  }
}
