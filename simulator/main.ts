import type { SimulatorOptions } from './options.ts';
import { type Simulator, startSimulator } from './server.ts';

/** The simulator until somebody closes it; the port defaults to one that a person can type. Prints nothing. */
export function simulate(options: SimulatorOptions = {}): Promise<Simulator> {
  return startSimulator({ port: 8080, ...options });
}
