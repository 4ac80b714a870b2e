import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretCommand,
} from '@aws-sdk/client-secrets-manager';
import type { FindHeld } from '../config/secrets.ts';
import { ExportError, errorName } from '../errors.ts';

/** Secrets in AWS Secrets Manager. Throws SECRET_UNREADABLE, which never shows a value. */
export function inSecretsManager(): FindHeld {
  const client = new SecretsManagerClient();
  return async (name) => ({
    value: await fetchSecret(client, name),
    where: `Secret ${JSON.stringify(name)} in AWS Secrets Manager`,
  });
}

async function fetchSecret(client: SecretsManagerClient, name: string): Promise<string> {
  try {
    return (await client.send(new GetSecretValueCommand({ SecretId: name }))).SecretString ?? '';
  } catch (cause) {
    throw new ExportError({
      code: 'SECRET_UNREADABLE',
      message: `AWS Secrets Manager refuses the secret ${JSON.stringify(name)} (${reasonOf(cause)}): create it there, and allow this role to read it.`,
      cause,
    });
  }
}

/** A secret to put. */
interface SecretToPut {
  /** Its name or ARN. */
  readonly name: string;
  readonly value: string;
  /** The ARN of the key that encrypts it; undefined for its present one, or AWS's own. */
  readonly keyArn: string | undefined;
}

/** Creates the secret, or sets its new value and key. Throws SECRET_NOT_PUT, which never shows the value. */
export async function putSecret(secret: SecretToPut): Promise<'created' | 'rotated'> {
  const { name: SecretId, value: SecretString, keyArn: KmsKeyId } = secret;
  const client = new SecretsManagerClient();
  const key = KmsKeyId !== undefined && { KmsKeyId };
  try {
    try {
      if (key) await client.send(new UpdateSecretCommand({ SecretId, SecretString, ...key }));
      else await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
      return 'rotated';
    } catch (error) {
      if (errorName(error) !== 'ResourceNotFoundException') throw error;
    }
    await client.send(new CreateSecretCommand({ Name: SecretId, SecretString, ...key }));
    return 'created';
  } catch (error) {
    throw notPut(secret, error);
  }
}

/** The SDK's own errors have names. One without a name says that a region or credentials are missing. */
function reasonOf(error: unknown): string {
  const name = errorName(error);
  if (name !== 'Error') return name;
  return /region/i.test(String(error)) ? 'no region is set' : 'it was not reached';
}

/** An error without `cause`, because the SDK's error may hold the request. */
function notPut({ name, keyArn }: Omit<SecretToPut, 'value'>, error: unknown): ExportError {
  const rights = keyArn === undefined ? 'PutSecretValue' : 'UpdateSecret';
  const key =
    keyArn === undefined ? '' : `, and the use of the key ${keyArn}, secretsKmsKeyArn of the config`;
  return new ExportError({
    code: 'SECRET_NOT_PUT',
    message: `Secret ${JSON.stringify(name)} cannot be put into AWS Secrets Manager (${errorName(error)}): sign in to the right account (AWS_PROFILE, AWS_REGION), and allow secretsmanager:${rights} and CreateSecret${key}.`,
  });
}
