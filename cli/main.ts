import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { ExportError, UsageError } from '#lib/errors.ts';
import { keepTlsVerified } from '#lib/runtime/environment.ts';
import { addCatalog } from './catalog.ts';
import { addCheck } from './check.ts';
import { addDemo } from './demo.ts';
import { addEstimate } from './estimate.ts';
import { EXIT } from './exit.ts';
import { addPurge } from './purge.ts';
import { addQuery } from './query.ts';
import { addRebuild } from './rebuild.ts';
import { addRepair } from './repair.ts';
import { addReport } from './report.ts';
import { addRollback } from './rollback.ts';
import { addRun } from './run.ts';
import { note, say } from './say.ts';
import { addSchema } from './schema.ts';
import { addSecret } from './secret.ts';
import { addSimulate } from './simulate.ts';
import { addStatus } from './status.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const program = new Command('signage-export')
  .version(version)
  .description('Copies digital-signage and backup-storage APIs into Parquet that answers SQL.')
  .option('--config <file>', 'the configuration', 'export.config.json')
  .option('--lake <place>', 'a folder, or s3://bucket/prefix', './lake')
  .option(
    '--secrets <file>',
    'a JSON object from secret name to value; without it AWS Secrets Manager is asked',
  )
  .option('--json', 'write one JSON document on stdout and nothing else')
  .exitOverride()
  .showHelpAfterError('(--help lists the commands and their options)');
for (const add of [
  addRun,
  addCheck,
  addStatus,
  addQuery,
  addReport,
  addSimulate,
  addDemo,
  addEstimate,
  addRepair,
  addRebuild,
  addRollback,
  addPurge,
  addSchema,
  addCatalog,
  addSecret,
])
  add(program);

if (keepTlsVerified())
  note('warning: NODE_TLS_REJECT_UNAUTHORIZED=0 is passed over: certificates are verified; see caFile.');
try {
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = report(error);
}

/** Says on stderr what went wrong and gives the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.complete : EXIT.usage;
  const json = program.opts().json === true;
  if (error instanceof ExportError) {
    if (json) say(JSON.stringify({ error: { code: error.code, message: error.message } }));
    note(`${error.code}: ${error.message}`);
    return error instanceof UsageError ? EXIT.usage : EXIT.failed;
  }
  note(String((error instanceof Error && error.stack) || error));
  note('This is a mistake in signage-export itself: please report it with the lines above.');
  return EXIT.failed;
}
