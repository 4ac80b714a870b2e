import type { Command } from 'commander';
import { z } from 'zod';

const globals = z.object({
  config: z.string(),
  lake: z.string(),
  secrets: z.string().optional(),
  json: z.boolean().default(false),
});

/** The options that every command takes. */
export type GlobalOptions = z.infer<typeof globals>;

/** The options of a command and the global ones, wherever they stood on the line. */
export function optionsOf<Shape extends z.ZodRawShape>(command: Command, shape: Shape) {
  return globals.extend(shape).parse(command.optsWithGlobals());
}

/** For an option that may be given several times. */
export function collectInto(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}
