import { idFieldOf } from './records-of-shape.ts';
import { dueOf, routesOf, sameTexts } from './routes-of-shape.ts';
import type { Shape } from './shape.ts';
import type { ShapeLab } from './shape-lab.ts';

/** What a run says after `check --write`: `whole`, what is wrong, or `SHORT` where it says nothing. */
export async function checkShape(shape: Shape, lab: ShapeLab): Promise<string> {
  const routes = routesOf(shape, { day: 0, url: () => lab.url });
  const resources = await lab.check(routes, { players: { id: idFieldOf(shape) } });
  const run = await lab.run({ scheduledTime: '2026-11-20T03:00:00Z' }, routes, resources);
  const [source] = run.sources;
  if (source?.status !== 'complete')
    return `${source?.error?.code} ${source?.error?.message} after ${JSON.stringify(resources)}`;
  const rows = await lab.rows();
  return sameTexts(rows, dueOf(shape, 0)) ? 'whole' : `SHORT: ${rows.length} rows`;
}
