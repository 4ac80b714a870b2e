export const vpc = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'], s3PrefixListId: 'pl-0a1b2c3d' };
export const env = { account: '111122223333', region: 'eu-central-1' };
export const kmsKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/12345678-1234-1234-1234-123456789012';
export const key = 'arn:aws:kms:us-east-1:111122223333:key/12345678-1234-1234-1234-123456789012';

const baseUrl = 'https://signage.example.com';
export const source = (secret: string) => ({ name: 'berlin', kind: 'signage', baseUrl, secret });
export const at = (baseUrl: string) => ({ ...source('a'), baseUrl, allowHttp: true });
