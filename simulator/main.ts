import type { SimulatorOptions } from './options.ts';
import { type Simulator, startSimulator } from './server.ts';

/** Starts the simulator, until somebody closes it. The port's default is easy to type. Prints nothing. */
export function simulate(options: SimulatorOptions = {}): Promise<Simulator> {
  return startSimulator({ port: 8080, ...options });
}
