import { CreateDatabaseCommand, GlueClient } from '@aws-sdk/client-glue';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { answers, freePort, startService } from '../../support/service.ts';
import { CREDENTIALS, REGION } from './s3.ts';
import { moto } from './tools.ts';

export type MotoStandIn = ReturnType<typeof motoAt>;

/** Secrets Manager and Glue, by moto. */
export async function startMoto() {
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
export function motoAt(endpoint: string) {
  const options = {
    endpoint,
    region: REGION,
    credentials: {
      accessKeyId: CREDENTIALS.AWS_ACCESS_KEY_ID,
      secretAccessKey: CREDENTIALS.AWS_SECRET_ACCESS_KEY,
    },
  };
  const glue = new GlueClient(options);
  const secrets = new SecretsManagerClient(options);
  return {
    url: endpoint,
    glue,
    secrets,
    createDatabase: async (Name: string) => {
      await glue.send(new CreateDatabaseCommand({ DatabaseInput: { Name } }));
    },
  };
}
