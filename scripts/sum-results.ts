// Adds up the JSON reports of all test tiers in a folder: names what failed, and prints the one line that CI reads.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

const [folder = '', tierFailed = '0'] = process.argv.slice(2);
const reports = readdirSync(folder).filter((name) => name.endsWith('.json'));
const totals = reports.map((name) => {
  const report: Report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  for (const line of failures(report)) console.log(`failed: ${basename(name, '.json')}: ${line}`);
  return {
    passed: Number(report.numPassedTests),
    failed: Number(report.numFailedTests) + brokenFiles(report),
  };
});
const passed = totals.reduce((sum, each) => sum + each.passed, 0);
const failed = totals.reduce((sum, each) => sum + each.failed, 0);
/** A tier can fail without a failed test: its lint, its types, or a runner that died before its report. */
const hidden = tierFailed !== '0' && failed === 0 ? 1 : 0;
console.log(`${passed} passed, ${failed + hidden} failed`);
process.exitCode = failed + hidden > 0 || passed === 0 ? 1 : 0;

/** What of vitest's JSON report is read. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults?: readonly {
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

/** One line a failed test, or a file without tests: where it stands, its name, how its error begins. */
function failures({ testResults = [] }: Report): readonly string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    if (status === 'failed' && assertionResults.length === 0) return [`${file}: ${firstLine(message)}`];
    return assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => `${file}: ${test.fullName}: ${firstLine(test.failureMessages?.[0] ?? '')}`);
  });
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 300);
}

/** Files that failed before their first test. */
function brokenFiles({ testResults = [] }: Report): number {
  return testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
}
