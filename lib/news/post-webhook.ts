import { createHmac } from 'node:crypto';
import ky, { isHTTPError, isTimeoutError } from 'ky';
import type { WebhookSecret } from '../config/secrets.ts';
import { ExportError } from '../errors.ts';

interface PostOptions {
  readonly body: string;
  /** The message's id, the same for every try. */
  readonly id: string;
  readonly now: Date;
  /** Milliseconds of a second. @default 1000; a test has shorter ones */
  readonly second?: number;
}

const TRY_SECONDS = 10;

/**
 * Posts a message, signed. ky tries five times if the fault may pass, and waits at most 30 s if the receiver asks
 * for more. Throws WEBHOOK_REFUSED, without the address or the key.
 */
export async function postWebhook(
  { url, key }: WebhookSecret,
  { body, id, now, second = 1000 }: PostOptions,
): Promise<void> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  // The signature covers the time, so that nobody else can send an old message again.
  const signed = key && createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-signage-export-id': id,
    'x-signage-export-timestamp': timestamp,
    ...(signed && { 'x-signage-export-signature': `v1=${signed}` }),
  };
  const delay = (tries: number) => 2 ** (tries - 1) * second;
  const waits = { maxRetryAfter: 30 * second, retryOnTimeout: true, delay, jitter: true };
  const retry = { limit: 4, methods: ['post' as const], ...waits };
  try {
    // The message is for one address, so no redirect is followed.
    await ky.post(url, { body, headers, redirect: 'manual', timeout: TRY_SECONDS * second, retry });
  } catch (error) {
    throw new ExportError({
      code: 'WEBHOOK_REFUSED',
      message: `The webhook of notify did not take the message of run ${id}: ${faultOf(error)}. Look at its receiver, or put a new address into the secret that notify.webhookSecret names.`,
    });
  }
}

/** The fault in words: the message of a foreign error may quote the address. */
function faultOf(error: unknown): string {
  if (isHTTPError(error)) return `it answered ${error.response.status}`;
  return isTimeoutError(error) ? `it did not answer within ${TRY_SECONDS} s` : 'it could not be reached';
}
