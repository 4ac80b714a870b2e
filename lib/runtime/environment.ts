import { pathToFileURL } from 'node:url';
import * as z from 'zod';

const shape = z.object({
  /** s3://bucket/prefix */
  LAKE: z.string().default(''),
  /** Glue database; empty where somebody else keeps the catalog. */
  DATABASE: z.string().default(''),
  /** The account of its catalog. */
  ACCOUNT: z.string().default(''),
  /** The only dimension of the metrics. */
  STACK: z.string().default('signage-export'),
  STATE_MACHINE_ARN: z.string().default(''),
  /** The state machine of an operator's commands. */
  OPERATE_MACHINE_ARN: z.string().default(''),
  /** The function that reports what a run brought. */
  NEWS_FUNCTION: z.string().default(''),
  /** Bucket of query results and pages. */
  RESULTS: z.string().default(''),
  AWS_REGION: z.string().default(''),
  /** Hours of the schedule; only the watch uses it. */
  LATE_AFTER_HOURS: z.coerce.number().positive().default(Number.POSITIVE_INFINITY),
  /** Where Lambda has the files of the bundle. */
  LAMBDA_TASK_ROOT: z.string().default('.'),
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: z.coerce.number().int().positive().default(1024),
  /** Set by CI systems. */
  CI: z.string().default(''),
  AWS_ENDPOINT_URL: z.string().optional(),
  AWS_ENDPOINT_URL_S3: z.string().optional(),
});

export interface Environment {
  /** s3://bucket/prefix, empty outside Lambda. */
  readonly lake: string;
  /** Glue database, empty where there is none. */
  readonly database: string;
  /** The account of the stack, empty outside Lambda. */
  readonly account: string;
  readonly stack: string;
  readonly stateMachineArn: string;
  /** The state machine of an operator's commands. */
  readonly operateMachineArn: string;
  /** The function that reports what a run brought. */
  readonly newsFunction: string;
  /** Bucket of query results and pages, empty outside Lambda. */
  readonly results: string;
  readonly region: string;
  /** Hours after a commit until the next is due. */
  readonly lateAfterHours: number;
  readonly memoryMiB: number;
  /** True where nobody is there to read a warning. */
  readonly isCi: boolean;
  /** The folder of the code; the folder of the views is in it. */
  readonly taskRoot: URL;
  readonly views: URL;
  /** True for S3-compatible stores, which have the bucket in the path. */
  readonly pathStyle: boolean;
}

/** The environment of the process. Only this file reads process.env. */
export function environment(): Environment {
  const env = shape.parse(process.env);
  return {
    lake: env.LAKE,
    database: env.DATABASE,
    account: env.ACCOUNT,
    stack: env.STACK,
    stateMachineArn: env.STATE_MACHINE_ARN,
    operateMachineArn: env.OPERATE_MACHINE_ARN,
    newsFunction: env.NEWS_FUNCTION,
    results: env.RESULTS,
    region: env.AWS_REGION,
    lateAfterHours: env.LATE_AFTER_HOURS,
    memoryMiB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    isCi: env.CI !== '' && env.CI !== 'false',
    taskRoot: pathToFileURL(`${env.LAMBDA_TASK_ROOT}/`),
    views: pathToFileURL(`${env.LAMBDA_TASK_ROOT}/queries/`),
    pathStyle: (env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL) !== undefined,
  };
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
