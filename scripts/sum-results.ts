// Adds up the JSON reports of all test tiers in a folder: names what failed, and prints the one line that CI reads.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

const [folder = ''] = process.argv.slice(2);
const ending = (end: string) => readdirSync(folder).filter((name) => name.endsWith(end));
const reports = ending('.json');
const totals = reports.map((name) => {
  const tier = basename(name, '.json');
  const report: Report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const failed = failures(report);
  for (const line of failed) console.log(`failed: ${tier}: ${line}`);
  return { tier, passed: report.numPassedTests, failed: failed.length };
});
/** A tier can fail without a failed test: its lint, its types, an error outside of all tests, or a runner that died. */
const hidden = ending('.status').filter((name) => {
  const script = basename(name, '.status');
  const tier = script.replace(/^test:?/, '') || 'fast';
  const status = readFileSync(join(folder, name), 'utf8').trim();
  if (status === '0' || totals.some((each) => each.tier === tier && each.failed > 0)) return false;
  console.log(`failed: ${tier}: npm run ${script} ended with ${status}, and no test of it failed. It said:`);
  console.log(whyEnded(readFileSync(join(folder, `${script}.log`), 'utf8')));
  return true;
});
const passed = totals.reduce((sum, each) => sum + each.passed, 0);
const failed = totals.reduce((sum, each) => sum + each.failed, hidden.length);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** The lines of a tier's log that say why it failed: those of an error outside of all tests, else the last ones. */
function whyEnded(log: string): string {
  const lines = log.trimEnd().split('\n');
  const at = lines.findIndex((line) => line.includes('Unhandled'));
  return (at === -1 ? lines.slice(-30) : lines.slice(at, at + 60)).join('\n');
}

/** What of vitest's JSON report is read. */
interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

/** One line a failed test, or a file that failed before its first test: its place, its name, how its error begins. */
function failures({ testResults }: Report): readonly string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const says = (text = '') => text.split('\n', 1)[0]?.slice(0, 300);
    if (status === 'failed' && assertionResults.length === 0) return [`${file}: ${says(message)}`];
    return assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => `${file}: ${test.fullName}: ${says(test.failureMessages?.[0])}`);
  });
}
