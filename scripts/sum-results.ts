// Adds up the JSON reports of all test tiers in a folder and prints the one line that CI reads.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '', tierFailed = '0'] = process.argv.slice(2);
const reports = readdirSync(folder).filter((name) => name.endsWith('.json'));
const totals = reports.map((name) => {
  const report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
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

function brokenFiles(report: { testResults?: { status: string; assertionResults: unknown[] }[] }): number {
  return (report.testResults ?? []).filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
}
