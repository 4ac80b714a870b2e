import type { SimulatorOptions } from '#simulator/options.ts';
import { startSimulator } from '#simulator/server.ts';

/** The simulator in its own process, so that its work is not counted as the export's. Ends with its stdin. */
const options = JSON.parse(process.argv[2] ?? '{}') as SimulatorOptions;
const { url, secrets } = await startSimulator(options);
process.stdout.write(`${JSON.stringify({ url, key: secrets.signage.apiKey })}\n`);
process.stdin.resume().on('end', () => process.exit());
