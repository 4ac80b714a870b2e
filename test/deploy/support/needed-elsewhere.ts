/** Rights that this story cannot ask for, and why. */
export const NEEDED_ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/: logs:/, 'the emulator writes logs itself'],
  [/^PipelineMachineRole: states:/, 'the distributed map runs inside the emulator'],
  [/^(Pipeline|Watch)ScheduleRole: /, 'the Scheduler never fires there'],
  [/^PipelineStartRole: sqs:SendMessage/, 'Lambda of the emulator puts dead letters itself'],
  [/: s3:AbortMultipartUpload/, 'an upload that breaks off'],
  [/^OperationsOperateRole: s3:PutObject .*\/raw\/\*$/, 'a record that is purged from raw'],
  [/: s3:(Get|Put|Delete)Object .*\/state\/figures\/\*$/, 'figures of earlier days are of a larger fleet'],
  [/: glue:(DeleteTable|UpdatePartition) /, 'AWS may ask the single call’s right of a batch call'],
  [
    /^PipelineCommitRole: s3:DeleteObject .*\/raw\/\*$/,
    'raw answers go behind as many dates as they are kept days, which are more than here',
  ],
  [/^Pipeline(List|Sweep)Role: s3:DeleteObject/, 'batches beyond those of a repeated attempt'],
  [/^OperationsOperateRole: states:DescribeExecution .*-operate:/, 'the lease of another operation'],
  [/^Operators: secretsmanager:.*lab\/hook/, 'put before the config named it, by an administrator'],
  [
    /^Operators: (glue:|s3:GetBucketLocation|s3:(Get|Put|List).*<StorageResults)/,
    'Athena asks Glue and S3 in the name of who asks it',
  ],
  [/^Operators: states:StopExecution /, 'an operator who stops a run'],
  [/^PipelineCollectRole: s3:PutObject .*pauses/, 'a server that asks to wait'],
  [/^PipelineListRole: s3:GetObject .*raw/, 'a listing that an earlier attempt left'],
  [/: s3:GetObject .*\/state\/next-head\.json$/, 'a head that was lost'],
  [
    /^OperationsOperateRole: s3:PutObject .*\/state-copy\/lake\.json$/,
    'a lake of an earlier version has no marker',
  ],
];
