import * as z from 'zod';
import { architectureNamed, fetchBinding } from '../infra/bindings.ts';
import { argument, commandOf } from './options.ts';
import { tell } from './say.ts';

const OPTIONS = {
  architecture: argument(
    '[architecture]',
    'arm64 or x86_64, as in the CDK construct',
    z.string().default('arm64'),
    'arm64',
  ),
};

export const addBindings = commandOf(OPTIONS, ({ json, architecture }) => {
  const said = fetchBinding(architectureNamed(architecture));
  tell({ json }, { said }, said);
});
