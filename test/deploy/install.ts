import { installEmulator } from './support/install-emulator.ts';

/** Installs what test:deploy needs; where that cannot be, the tier says why when it is run. */
await installEmulator().catch((error: unknown) => {
  process.stderr.write(`the emulator is not installed: ${error instanceof Error ? error.message : error}\n`);
});
