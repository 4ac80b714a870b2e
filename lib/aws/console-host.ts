/** The AWS console by partition. */
export const CONSOLES = {
  aws: 'console.aws.amazon.com',
  'aws-cn': 'console.amazonaws.cn',
  'aws-us-gov': 'console.amazonaws-us-gov.com',
} as const;

/** Where the AWS console of a region is. */
export function consoleHost(region: string): string {
  if (region.startsWith('cn-')) return CONSOLES['aws-cn'];
  return region.startsWith('us-gov-') ? CONSOLES['aws-us-gov'] : CONSOLES.aws;
}
