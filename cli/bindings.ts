import type { Command } from 'commander';
import { architectureNamed, fetchBinding } from '../infra/bindings.ts';
import { commandOf } from './options.ts';
import { tell } from './say.ts';

export function addBindings(command: Command): void {
  command.argument('[architecture]', 'arm64 or x86_64, as in the CDK construct', 'arm64');
  commandOf(command, {}, ({ json }, architecture = 'arm64') => {
    const said = fetchBinding(architectureNamed(architecture));
    tell({ json }, { said }, said);
  });
}
