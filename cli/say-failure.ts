import { CommanderError } from 'commander';
import { ExportError, UsageError } from '#lib/errors.ts';
import { OPEN_FILES } from '#lib/lake/folder/folder-errors.ts';
import { describeError } from '#lib/runtime/log.ts';
import { EXIT } from './exit.ts';
import { INTERRUPTED } from './interrupts.ts';
import { note, say } from './say.ts';

/** Reports what went wrong, and returns the exit code: 130 for a left question, 2 for wrong usage, otherwise 1. */
export function sayFailure(
  thrown: unknown,
  { json, version }: { readonly json: boolean; readonly version: string },
): number {
  const error = firstOf(thrown);
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.complete : EXIT.usage;
  const failure = error instanceof ExportError ? error : (refusalOf(error) ?? mistakeOf(error, version));
  const { code, message } = failure;
  if (json) {
    const faults = 'faults' in failure ? { faults: failure.faults } : {};
    say({ error: { code, message, ...faults } });
  }
  note(`${code}: ${message}`, { level: 'error', code, message });
  if (code === 'CANCELLED') return INTERRUPTED;
  return failure instanceof UsageError ? EXIT.usage : EXIT.failed;
}

/** What went wrong first: tidying up after it may go wrong too, for the same reason. */
function firstOf(error: unknown): unknown {
  // Node 22 has no SuppressedError, and the package brings its own.
  const isSuppressed = error instanceof Error && error.name === 'SuppressedError' && 'suppressed' in error;
  return isSuppressed ? firstOf(error.suppressed) : error;
}

/** The error for a refusal by the operating system or AWS; undefined for any other, which is a bug. */
function refusalOf(error: unknown): ExportError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message, syscall, code, path } = error as NodeJS.ErrnoException;
  if (typeof syscall === 'string' && typeof code === 'string') {
    const place = typeof path === 'string' ? `${syscall} ${path}` : syscall;
    const says = /^E[MN]FILE$/.test(code)
      ? `${place}: ${OPEN_FILES}.`
      : `The operating system refused ${place} (${code}). Fix that, then start the command again.`;
    return new ExportError({ code: 'SYSTEM_REFUSED', message: says, cause: error });
  }
  // The SDK's errors, before a call and about its answer.
  const isOfAws = /^(Credentials|Token)ProviderError$|Region is missing/.test(`${name}${message}`);
  if (!isOfAws && !('$metadata' in error)) return undefined;
  const says = `The call to AWS failed (${name}: ${message}): look at AWS_PROFILE, AWS_REGION and this user's rights.`;
  return new ExportError({ code: 'AWS_REFUSED', message: says, cause: error });
}

/** The error for a bug in this program. Its last line says where it came from, without any value that it may quote. */
function mistakeOf(error: unknown, version: string): ExportError {
  const { version: node, platform, arch } = process;
  const trace = JSON.stringify({ version, node, platform, arch, ...describeError(error) });
  return new ExportError({
    code: 'INTERNAL_ERROR',
    message: `signage-export itself made a mistake, and what was committed is unharmed: send the next line, which has no keys, to whoever keeps signage-export, and start the command again.\n${trace}`,
    cause: error,
  });
}
