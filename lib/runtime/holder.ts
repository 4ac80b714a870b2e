import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errno } from '../errors.ts';
import type { Holder, ProcessHolder } from '../lake/lease.ts';

/** This process as the holder of a lease. */
export function thisProcess(): ProcessHolder {
  return { host: hostname(), pid: process.pid, startedAt: ownStart() };
}

/** True where the holder is an ended process of this machine. False where it runs, or nobody can know. */
export async function processHasEnded(holder: Holder): Promise<boolean> {
  if (!('pid' in holder) || holder.host !== hostname()) return false;
  const [boot, namespace, ticks] = holder.startedAt.split(' ');
  const [ownBoot, ownNamespace] = ownStart().split(' ');
  if (ticks === undefined || ownNamespace === undefined) return !isAlive(holder.pid);
  if (boot !== ownBoot) return true;
  // In another container of this machine the same id is another process, which is invisible here.
  if (namespace !== ownNamespace) return false;
  return startTicks(holder.pid) !== ticks;
}

/**
 * Differs from the text of a later process with the same id. On Linux it has the boot id, the namespace of
 * process ids and the start in clock ticks. Elsewhere it is empty, so only the process id counts.
 */
function ownStart(): string {
  const ticks = startTicks(process.pid);
  if (ticks === undefined) return '';
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot} ${readlinkSync('/proc/self/ns/pid')} ${ticks}`;
}

/** Undefined where the process does not exist. A zombie counts as ended: only its exit code is unread. */
function startTicks(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may hold blanks. The state is the field behind it; the start is the 19th
    // after that.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** True where a process has this number, also another user's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errno(error) === 'EPERM';
  }
}
