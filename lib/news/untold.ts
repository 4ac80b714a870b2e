import { readHead } from '../lake/head.ts';
import { attemptName } from '../run-id.ts';
import { readNotes } from './notes.ts';
import type { ExecutionEnded, NewsServices } from './tell-news.ts';

/** The event of an execution comes within seconds, and the report begins with a note. */
const EVENT_MS = 5 * 60_000;

/**
 * A lost event, because EventBridge promises none: that of the newest commit, if nobody got a report of it.
 * Undefined if somebody did, or if the event may still come.
 */
export async function untoldCommit(
  services: Pick<NewsServices, 'lake' | 'stateMachineArn' | 'now'>,
): Promise<ExecutionEnded | undefined> {
  const { lake, stateMachineArn, now } = services;
  const head = (await readHead(lake))?.head;
  if (head === undefined || now().getTime() - Date.parse(head.committedAt) < EVENT_MS) return undefined;
  const { runId, attempt } = head;
  const told = Object.values((await readNotes(lake)).ways).flatMap(({ attempts }) => attempts);
  if (told.includes(attemptName(head))) return undefined;
  const ended = { executionArn: 'found by watch', status: 'SUCCEEDED' };
  // A command has committed the run again. Nothing says which, so it counts as the one that empties pages.
  const isCommittedAgain = told.some((name) => name.startsWith(`${runId}.`));
  if (isCommittedAgain) return { ...ended, stateMachineArn: '', input: '{"command":"purge"}' };
  return { ...ended, stateMachineArn, input: JSON.stringify({ runId, attempt }) };
}
