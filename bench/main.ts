import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Extent } from './extent.ts';
import { type Figure, figuresTable, resultsOf } from './figures.ts';
import { checkOut } from './former.ts';
import { benchBundles } from './sections/bundles.ts';
import { benchPublish } from './sections/publish.ts';
import { benchRuns } from './sections/runs.ts';
import { benchStart } from './sections/start.ts';
import { benchYear } from './sections/year.ts';

const SECTIONS = {
  start: benchStart,
  publish: benchPublish,
  runs: benchRuns,
  year: benchYear,
  bundles: benchBundles,
} satisfies Record<string, (extent: Extent) => Promise<readonly Figure[]>>;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    against: { type: 'string' },
    only: { type: 'string', multiple: true, default: Object.keys(SECTIONS) },
  },
});
const unknown = options.only.find((name) => !(name in SECTIONS));
if (unknown !== undefined) {
  const names = Object.keys(SECTIONS).join(', ');
  process.stderr.write(
    `error: there is no section ${JSON.stringify(unknown)}; --only takes one of ${names}\n`,
  );
  process.exit(2);
}
const root = mkdtempSync(join(tmpdir(), 'signage-export-bench-'));
let folders = 0;
const folder = () => join(root, String(++folders));
const figures: Figure[] = [];
try {
  using former = options.against === undefined ? undefined : checkOut(options.against, folder());
  const extent: Extent = { isQuick: options.quick, folder, former };
  for (const [name, section] of Object.entries(SECTIONS)) {
    if (!options.only.includes(name)) continue;
    process.stderr.write(`${name} …\n`);
    figures.push(...(await section(extent)));
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.stdout.write(`${figuresTable(figures)}\n`);
// Only a run of all sections replaces the figures.
if (options.only.length >= Object.keys(SECTIONS).length) {
  const results = new URL(options.quick ? 'results-quick.json' : 'results.json', import.meta.url);
  writeFileSync(results, `${JSON.stringify(resultsOf(figures, new Date()), null, 1)}\n`);
}
