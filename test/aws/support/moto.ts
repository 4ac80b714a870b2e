import { CreateDatabaseCommand, GlueClient } from '@aws-sdk/client-glue';
import {
  CreateSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { CreateStateMachineCommand, SFNClient } from '@aws-sdk/client-sfn';
import { answers, freePort, startService } from '../../support/service.ts';
import { CREDENTIALS, REGION } from './s3.ts';
import { moto } from './tools.ts';

const ACCOUNT = '123456789012';

export interface MotoStandIn {
  readonly url: string;
  readonly glue: GlueClient;
  readonly sfn: SFNClient;
  readonly secrets: SecretsManagerClient;
  createDatabase(name: string): Promise<void>;
  /** Creates the secret, or rotates it where there is one. */
  putSecret(name: string, value: unknown): Promise<void>;
  /** A state machine that keeps executions and runs none; gives its ARN. */
  createStateMachine(name: string): Promise<string>;
}

/** Secrets Manager, Glue, and the record of executions, by moto. */
export async function startMoto(): Promise<MotoStandIn & AsyncDisposable> {
  const program = await moto();
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const service = await startService({
    command: program,
    args: ['-H', '127.0.0.1', '-p', String(port)],
    isReady: () => answers(`${endpoint}/moto-api/data.json`),
    patienceMs: 30_000,
  });
  return { ...motoAt(endpoint), [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** The stand-in that runs there. */
export function motoAt(endpoint: string): MotoStandIn {
  const options = {
    endpoint,
    region: REGION,
    credentials: {
      accessKeyId: CREDENTIALS.AWS_ACCESS_KEY_ID,
      secretAccessKey: CREDENTIALS.AWS_SECRET_ACCESS_KEY,
    },
  };
  const glue = new GlueClient(options);
  const sfn = new SFNClient(options);
  const secrets = new SecretsManagerClient(options);
  return {
    url: endpoint,
    glue,
    sfn,
    secrets,
    createDatabase: async (Name) => {
      await glue.send(new CreateDatabaseCommand({ DatabaseInput: { Name } }));
    },
    putSecret: async (name, value) => {
      const SecretString = JSON.stringify(value);
      try {
        await secrets.send(new CreateSecretCommand({ Name: name, SecretString }));
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'ResourceExistsException') throw error;
        await secrets.send(new PutSecretValueCommand({ SecretId: name, SecretString }));
      }
    },
    createStateMachine: async (name) => {
      const { stateMachineArn = '' } = await sfn.send(
        new CreateStateMachineCommand({
          name,
          definition: '{"StartAt":"Run","States":{"Run":{"Type":"Wait","Seconds":86400,"End":true}}}',
          roleArn: `arn:aws:iam::${ACCOUNT}:role/stand-in`,
        }),
      );
      return stateMachineArn;
    },
  };
}
