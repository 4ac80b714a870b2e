import { ExportError, errorName } from '../errors.ts';
import { ConditionFailed } from '../lake/lake.ts';

/** True if S3 says that the object does not exist; for a HEAD request only the status says it. */
export function isMissingObject(error: unknown): boolean {
  return errorName(error) === 'NoSuchKey' || errorName(error) === 'NotFound';
}

/** True if If-None-Match or If-Match did not hold. S3 answers 404 to If-Match on a missing key. */
export function isUnmet(error: unknown): boolean {
  return httpStatus(error) === 412 || isMissingObject(error);
}

/**
 * True if another conditional put of the key was under way: try again.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
export function isConflict(error: unknown): boolean {
  return errorName(error) === 'ConditionalRequestConflict';
}

/** True if the SDK sent the call more than once: an earlier one may have succeeded although its answer was lost. */
export function wasRetried(error: unknown): boolean {
  return Number(metadataOf(error)['attempts'] ?? 1) > 1;
}

/** S3's error → the cure. */
const CURES: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket: name another with --lake, or deploy the stack first',
  AccessDenied: 'these credentials do not have the right: allow it, or use others (AWS_PROFILE)',
  InvalidAccessKeyId: 'these credentials are unknown: use others (AWS_PROFILE)',
  SignatureDoesNotMatch: 'these credentials are wrong: use others (AWS_PROFILE)',
  ExpiredToken: 'these credentials have expired: sign in again',
  CredentialsProviderError: 'there are no AWS credentials: sign in, or set AWS_PROFILE',
  PermanentRedirect: 'the bucket is in another region: set AWS_REGION',
  AuthorizationHeaderMalformed: 'the bucket is in another region: set AWS_REGION',
};

/** The error to throw for a failed call to S3. An error without a known cure may pass, so another try makes sense. */
export function s3Error(cause: unknown, { bucket, key }: { bucket: string; key: string }): Error {
  if (cause instanceof ExportError || cause instanceof ConditionFailed) return cause;
  const name = errorName(cause);
  const cure = CURES[name] ?? (httpStatus(cause) === 403 ? CURES['AccessDenied'] : undefined);
  if (cure !== undefined) {
    return new ExportError({
      code: 'LAKE_NOT_WRITABLE',
      message: `s3://${bucket}/${key} cannot be read or written (${name}); ${cure}.`,
      cause,
    });
  }
  return new ExportError({
    code: 'LAKE_UNREACHABLE',
    message: `s3://${bucket}/${key} could not be read or written (${name}), although it was tried several times: start the run again once S3 answers.`,
    cause,
  });
}

function metadataOf(error: unknown): Readonly<Record<string, unknown>> {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined;
  return typeof metadata === 'object' && metadata !== null ? { ...metadata } : {};
}

function httpStatus(error: unknown): unknown {
  return metadataOf(error)['httpStatusCode'];
}
