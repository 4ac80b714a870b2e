import { s3Lake } from '#lib/aws/s3-lake.ts';
import { ConditionFailed } from '#lib/lake/lake.ts';

/** Adds 1 to the number under a key, TIMES times, by compare and swap; says how often it lost a race. */
const [name = '', times = '0', id = ''] = process.argv.slice(2);
await using lake = s3Lake(name, { pathStyle: true });
let done = 0;
let lost = 0;
while (done < Number(times)) {
  const stored = await lake.read('state/head.json');
  const [count = 0, by = {}] = stored === undefined ? [] : JSON.parse(stored.bytes.toString('utf8'));
  // The contents name the writer: equal contents would have equal etags.
  const next = Buffer.from(JSON.stringify([count + 1, { ...by, [id]: done + 1 }]));
  try {
    const condition = stored === undefined ? ({ absent: true } as const) : { match: stored.etag };
    await lake.write('state/head.json', next, condition);
    done += 1;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    lost += 1;
  }
}
process.stdout.write(String(lost));
