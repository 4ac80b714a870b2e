import { named } from '../../support/named.ts';
import type { NamedMutant } from './named-mutant.ts';

/** What scripts and browsers rely on. */
export const COMMAND_LINE_AND_PAGE: readonly NamedMutant[] = named<Omit<NamedMutant, 'name'>>({
  'partial-run-exits-0': {
    fault: 'a script takes a partial run for a whole one',
    file: 'cli/exit.ts',
    from: 'partial: 3',
    to: 'partial: 0',
    noticedBy: ['test/cli/exit.test.ts'],
  },
  'run-without-exit-code': {
    fault: 'run ends with 0 whatever came of it',
    file: 'cli/run.ts',
    from: '  process.exitCode = EXIT[summary.status];\n});',
    to: '});',
    noticedBy: ['test/cli/exit.test.ts'],
  },
  'page-may-call-home': {
    fault: 'the policy of the page allows every request',
    file: 'lib/report/render-page.ts',
    from: "default-src 'none'",
    to: 'default-src *',
    noticedBy: ['test/report/render-page.test.ts'],
  },
  'page-runs-any-script': {
    fault: 'the policy of the page allows scripts from anywhere',
    file: 'lib/report/render-page.ts',
    from: "script-src 'sha256-",
    to: "script-src * 'sha256-",
    noticedBy: ['test/report/render-page.test.ts'],
  },
  'title-unescaped': {
    fault: 'a name in the config becomes markup of the page',
    file: 'lib/report/render-page.ts',
    from: 'escapeHtml(printable(data.name))',
    to: 'printable(data.name)',
    noticedBy: ['test/report/render-page.test.ts'],
  },
  'data-ends-its-script': {
    fault: 'a text that an API gave ends the script that holds the data',
    file: 'lib/report/render-page.ts',
    from: 'shown.replaceAll(/[<>&]/g,',
    to: 'shown.replaceAll(/[>&]/g,',
    noticedBy: ['test/report/render-page.test.ts'],
  },
  '31-days-of-licences': {
    fault: 'the trend of licences looks at 31 days in place of 30',
    file: 'queries/license_utilisation.sql',
    from: 'newest.day_number - 30',
    to: 'newest.day_number - 31',
    noticedBy: ['test/slow/license-utilisation.test.ts'],
  },
  '31-days-of-news': {
    fault: 'the news of 30 days are those of 31',
    file: 'queries/news.sql',
    from: '(values (1), (7), (30))',
    to: '(values (1), (7), (31))',
    noticedBy: ['test/queries/news.test.ts'],
  },
  '31-days-in-findings': {
    fault: 'the page warns of licences that last 31 days by the words “within 30 days”',
    file: 'lib/report/findings.ts',
    from: 'days_to_exhaustion <= 30',
    to: 'days_to_exhaustion <= 31',
    noticedBy: ['test/slow/license-utilisation.test.ts'],
  },
});
