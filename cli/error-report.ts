import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretFinder, redactText } from '#lib/api/body/secret-finder.ts';
import { knownSecrets } from './known-secrets.ts';

export interface ErrorReport {
  /** Undefined where it could not be written. */
  readonly file: string | undefined;
  /** The error in a few words. */
  readonly says: string;
}

/** The most causes of an error in the report: a chain of causes may have no end. */
const MOST_CAUSES = 10;
/** The most characters of the error in the sentence on the terminal; the report has all of them. */
const MOST_SAID = 200;

/** Writes what is known about a bug in this program into a file for its owner alone, without any key. */
export async function writeErrorReport(error: unknown, version: string): Promise<ErrorReport> {
  const finder = createSecretFinder(knownSecrets());
  const lines = [
    `signage-export ${version}, Node ${process.version}, ${process.platform} ${process.arch}`,
    `at ${new Date().toISOString()}, after ${Math.round(process.uptime())} s`,
    `called with ${JSON.stringify(process.argv.slice(2))}`,
    '',
    ...stacksOf(error),
  ];
  const says = redactText(String(error), finder).split('\n')[0]?.slice(0, MOST_SAID) ?? '';
  const file = join(tmpdir(), `signage-export-error-${randomUUID()}.txt`);
  try {
    await writeFile(file, redactText(`${lines.join('\n')}\n`, finder), { mode: 0o600, flag: 'wx' });
    return { file, says };
  } catch {
    return { file: undefined, says };
  }
}

/** The stack of an error and of each of its causes. Other members are left out: a client's error holds its headers. */
function stacksOf(error: unknown): readonly string[] {
  const stacks: string[] = [];
  for (let each = error; each !== undefined && stacks.length < MOST_CAUSES; ) {
    stacks.push((each instanceof Error && each.stack) || String(each));
    each = each instanceof Error ? each.cause : undefined;
  }
  return stacks;
}
