import { createHmac } from 'node:crypto';
import type { Clock } from '../api/clock.ts';
import type { WebhookSecret } from '../config/secrets.ts';
import { ExportError } from '../errors.ts';

export interface PostOptions {
  readonly body: string;
  /** The message's id, the same for every try. */
  readonly id: string;
  readonly clock: Clock;
  readonly now: () => Date;
  /** 0 to 1. */
  readonly random: () => number;
}

const TRIES = 5;
const TRY_MS = 10_000;
const FIRST_WAIT_MS = 1000;
/** A receiver that wants a longer wait gets the next try after this one. */
const LONGEST_WAIT_MS = 30_000;
const RETRIED = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Posts a message, signed. Tries again if the fault may pass. Throws WEBHOOK_REFUSED, without the address or
 * the key.
 */
export async function postWebhook({ url, key }: WebhookSecret, options: PostOptions): Promise<void> {
  const { body, id, clock, now, random } = options;
  let fault = '';
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const answer = await tryOnce(url, { body, headers: headersOf({ body, id, key, at: now() }) });
    if (typeof answer !== 'string' && answer.ok) return;
    fault = typeof answer === 'string' ? answer : `it answered ${answer.status}`;
    if (typeof answer !== 'string' && !RETRIED.has(answer.status)) break;
    if (attempt === TRIES) break;
    const asked = typeof answer === 'string' ? 0 : 1000 * Number(answer.headers.get('retry-after') ?? 0);
    const wait = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + random() / 2);
    await clock.sleep(Math.min(LONGEST_WAIT_MS, Math.max(wait, Number.isFinite(asked) ? asked : 0)));
  }
  throw new ExportError({
    code: 'WEBHOOK_REFUSED',
    message: `The webhook of notify did not take the message of run ${id}: ${fault}. Look at its receiver, or put a new address into the secret that notify.webhookSecret names.`,
  });
}

/** The answer, or the fault in words. It follows no redirect: the message is for one address. */
async function tryOnce(
  url: string,
  { body, headers }: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
): Promise<Response | string> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TRY_MS),
    });
    await answer.body?.cancel();
    return answer;
  } catch (error) {
    // The message of a foreign error may quote the address.
    return error instanceof Error && error.name === 'TimeoutError'
      ? `it did not answer within ${TRY_MS / 1000} s`
      : 'it could not be reached';
  }
}

/** The signature covers the time, so that nobody else can send an old message again. */
function headersOf({
  body,
  id,
  key,
  at,
}: {
  readonly body: string;
  readonly id: string;
  readonly key: string | undefined;
  readonly at: Date;
}): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signed = key && createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
  return {
    'content-type': 'application/json',
    'x-signage-export-id': id,
    'x-signage-export-timestamp': timestamp,
    ...(signed && { 'x-signage-export-signature': `v1=${signed}` }),
  };
}
