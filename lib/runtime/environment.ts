import { pathToFileURL } from 'node:url';
import * as z from 'zod';

const shape = z
  .object({
    LAKE: z.string().default(''),
    DATABASE: z.string().default(''),
    ACCOUNT: z.string().default(''),
    STACK: z.string().default('signage-export'),
    STATE_MACHINE_ARN: z.string().default(''),
    OPERATE_MACHINE_ARN: z.string().default(''),
    NEWS_FUNCTION: z.string().default(''),
    RESULTS: z.string().default(''),
    AWS_REGION: z.string().default(''),
    LATE_AFTER_HOURS: z.coerce.number().positive().default(Number.POSITIVE_INFINITY),
    LAMBDA_TASK_ROOT: z.string().default('.'),
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: z.coerce.number().int().positive().default(1024),
    CI: z.string().default(''),
    AWS_ENDPOINT_URL: z.string().optional(),
    AWS_ENDPOINT_URL_S3: z.string().optional(),
  })
  .transform((env) => ({
    /** s3://bucket/prefix, empty outside Lambda. */
    lake: env.LAKE,
    /** Glue database, empty where somebody else keeps the catalog. */
    database: env.DATABASE,
    /** The account of the stack and its catalog, empty outside Lambda. */
    account: env.ACCOUNT,
    /** The only dimension of the metrics. */
    stack: env.STACK,
    stateMachineArn: env.STATE_MACHINE_ARN,
    /** The state machine of an operator's commands. */
    operateMachineArn: env.OPERATE_MACHINE_ARN,
    /** The function that reports what a run brought. */
    newsFunction: env.NEWS_FUNCTION,
    /** Bucket of query results and pages, empty outside Lambda. */
    results: env.RESULTS,
    region: env.AWS_REGION,
    /** Hours after a commit until the next is due; only the watch uses it. */
    lateAfterHours: env.LATE_AFTER_HOURS,
    memoryMiB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    /** True where nobody is there to read a warning. */
    isCi: env.CI !== '' && env.CI !== 'false',
    /** The folder of the code, where Lambda has the files of the bundle; the folder of the views is in it. */
    taskRoot: pathToFileURL(`${env.LAMBDA_TASK_ROOT}/`),
    views: pathToFileURL(`${env.LAMBDA_TASK_ROOT}/queries/`),
    /** True for S3-compatible stores, which have the bucket in the path. */
    pathStyle: (env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL) !== undefined,
  }));

export type Environment = Readonly<z.infer<typeof shape>>;

/** The environment of the process. Only this file reads process.env. */
export function environment(): Environment {
  return shape.parse(process.env);
}

/** A variable of a secret or a proxy; undefined where it is not set. */
export function environmentVariable(name: string): string | undefined {
  // `__proto__` is a name like any other.
  return Object.hasOwn(process.env, name) ? process.env[name] : undefined;
}

/**
 * Removes NODE_TLS_REJECT_UNAUTHORIZED from the environment, so that every certificate of an API or of AWS is
 * checked. Returns true where it was set.
 */
export function keepTlsVerified(): boolean {
  const name = 'NODE_TLS_REJECT_UNAUTHORIZED';
  if (process.env[name] !== '0') return false;
  delete process.env[name];
  return true;
}
