import { ExportError } from '../errors.ts';
import { ConditionFailed } from '../lake/lake.ts';

/** What S3 says when there is no such object; HEAD has no body and so only a status. */
export function isMissing(error: unknown): boolean {
  return nameOf(error) === 'NoSuchKey' || nameOf(error) === 'NotFound';
}

/** If-None-Match or If-Match did not hold; If-Match on a key that is not there is answered with 404. */
export function isUnmet(error: unknown): boolean {
  return statusOf(error) === 412 || isMissing(error);
}

/**
 * Another conditional put of the key was under way: try again.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
export function isConflict(error: unknown): boolean {
  return nameOf(error) === 'ConditionalRequestConflict';
}

/** Whether the SDK sent the call more than once, so that an earlier one may have succeeded unheard. */
export function wasRetried(error: unknown): boolean {
  return Number(metadataOf(error)['attempts'] ?? 1) > 1;
}

/** What S3 says → what the operator does. */
const CURES: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket: name another with --lake, or deploy the stack first',
  AccessDenied: 'these credentials may not do that: allow it, or take others (AWS_PROFILE)',
  InvalidAccessKeyId: 'these credentials are unknown there: take others (AWS_PROFILE)',
  SignatureDoesNotMatch: 'these credentials are wrong: take others (AWS_PROFILE)',
  ExpiredToken: 'these credentials have expired: sign in again',
  CredentialsProviderError: 'there are no AWS credentials: sign in, or set AWS_PROFILE',
  PermanentRedirect: 'the bucket is in another region: set AWS_REGION',
  AuthorizationHeaderMalformed: 'the bucket is in another region: set AWS_REGION',
};

/** The error to throw for what a call to S3 threw. What no cure is known for may pass. */
export function s3Error(cause: unknown, { bucket, key }: { bucket: string; key: string }): Error {
  if (cause instanceof ExportError || cause instanceof ConditionFailed) return cause;
  const name = nameOf(cause);
  const cure = CURES[name] ?? (statusOf(cause) === 403 ? CURES['AccessDenied'] : undefined);
  if (cure !== undefined) {
    return new ExportError({
      code: 'LAKE_NOT_WRITABLE',
      message: `s3://${bucket}/${key} cannot be read or written (${name}); ${cure}.`,
      cause,
    });
  }
  return new ExportError({
    code: 'LAKE_UNREACHABLE',
    message: `s3://${bucket}/${key} could not be read or written (${name}): it was tried several times; start the run again once S3 answers.`,
    cause,
  });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error';
}

function metadataOf(error: unknown): Readonly<Record<string, unknown>> {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined;
  return typeof metadata === 'object' && metadata !== null ? { ...metadata } : {};
}

function statusOf(error: unknown): unknown {
  return metadataOf(error)['httpStatusCode'];
}
