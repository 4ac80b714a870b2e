declare module 'aws-cron-expression-validator' {
  /** The fields of the expression inside cron(…). Throws where EventBridge would refuse it. */
  export function awsCronExpressionValidator(expression: string): Readonly<Record<string, string>>;
}
