import { LOCAL_HOLDER } from '#cli/local-services.ts';
import type { Config } from '#lib/config/config.ts';
import type { ExecutionInput } from '#lib/run/payloads.ts';
import type { Services } from '#lib/runtime/services.ts';
import { type StartServices, start } from '#lib/start/start.ts';

/** Begins a run, whose lake has to be free and is held by this process if nothing else is said. Returns what its stages are told. */
export async function begin(
  given: object,
  services: Services & Partial<StartServices> & { readonly config: Config },
): Promise<ExecutionInput> {
  const started = await start(given, { ...LOCAL_HOLDER, ...services });
  if (started.kind !== 'started') throw new Error('the run is committed');
  return started.input;
}
