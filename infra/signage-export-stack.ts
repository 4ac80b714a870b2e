import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { SignageExport, type SignageExportProps } from './signage-export.ts';

export interface SignageExportStackProps extends StackProps, SignageExportProps {}

/** A stack with one installation and nothing else. */
export class SignageExportStack extends Stack {
  constructor(scope: Construct, id: string, props: SignageExportStackProps) {
    super(scope, id, props);
    // CDK leaves this id out of the logical ids.
    new SignageExport(this, 'Default', props);
  }
}
