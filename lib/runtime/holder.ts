import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Holder, ProcessHolder } from '../lake/lease.ts';

/** This process as the holder of a lease. */
export function thisProcess(): ProcessHolder {
  return { host: hostname(), pid: process.pid, startedAt: ownStart() };
}

/**
 * True where the holder is a process of this machine that has ended. False where it runs, or where nobody can tell from
 * here.
 */
export async function processHasEnded(holder: Holder): Promise<boolean> {
  if (!('pid' in holder) || holder.host !== hostname()) return false;
  const [boot, namespace, ticks] = holder.startedAt.split(' ');
  const [ownBoot, ownNamespace] = ownStart().split(' ');
  if (ticks === undefined || ownNamespace === undefined) return !isAlive(holder.pid);
  if (boot !== ownBoot) return true;
  // In another container of this machine the same id is another process, which cannot be seen from here.
  if (namespace !== ownNamespace) return false;
  return startTicks(holder.pid) !== ticks;
}

/**
 * What tells this process from a later one with the same id. On Linux: the machine's boot id, the namespace of process
 * ids, and the clock ticks from boot to this process's start, with blanks between. Elsewhere it is empty: then only the
 * process id counts.
 */
function ownStart(): string {
  const ticks = startTicks(process.pid);
  if (ticks === undefined) return '';
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot} ${readlinkSync('/proc/self/ns/pid')} ${ticks}`;
}

/**
 * Undefined where there is no such process. A process that has ended counts as none, even if its parent has not yet
 * asked how it ended.
 */
function startTicks(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may hold blanks; the state is the field behind it, the start the 19th from there.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
