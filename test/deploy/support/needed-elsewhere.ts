/** Rights that this story cannot ask for, and why. */
export const NEEDED_ELSEWHERE: readonly { readonly rights: RegExp; readonly why: string }[] = [
  { rights: /: logs:/, why: 'the emulator writes logs itself' },
  { rights: /^PipelineMachineRole: states:/, why: 'the distributed map runs inside the emulator' },
  { rights: /^(Pipeline|Watch)ScheduleRole: /, why: 'the Scheduler never fires there' },
  { rights: /^PipelineStartRole: sqs:SendMessage/, why: 'Lambda of the emulator puts dead letters itself' },
  { rights: /: s3:AbortMultipartUpload/, why: 'an upload that breaks off' },
  { rights: /^OperationsOperateRole: s3:PutObject .*\/raw\/\*$/, why: 'a record that is purged from raw' },
  {
    rights: /: s3:(Get|Put|Delete)Object .*\/state\/figures\/\*$/,
    why: 'figures of earlier days are of a larger fleet',
  },
  {
    rights: /: glue:(DeleteTable|UpdatePartition) /,
    why: 'AWS may ask the single call’s right of a batch call',
  },
  {
    rights: /^PipelineCommitRole: s3:DeleteObject .*\/raw\/\*$/,
    why: 'raw answers go behind as many dates as they are kept days, which are more than here',
  },
  { rights: /^Pipeline(List|Sweep)Role: s3:DeleteObject/, why: 'batches beyond those of a repeated attempt' },
  {
    rights: /^OperationsOperateRole: states:DescribeExecution .*-operate:/,
    why: 'the lease of another operation',
  },
  {
    rights: /^Operators: secretsmanager:.*lab\/hook/,
    why: 'put before the config named it, by an administrator',
  },
  {
    rights: /^Operators: (glue:|s3:GetBucketLocation|s3:(Get|Put|List).*<StorageResults)/,
    why: 'Athena asks Glue and S3 in the name of who asks it',
  },
  { rights: /^Operators: states:StopExecution /, why: 'an operator who stops a run' },
  { rights: /^PipelineCollectRole: s3:PutObject .*pauses/, why: 'a server that asks to wait' },
  { rights: /^PipelineListRole: s3:GetObject .*raw/, why: 'a listing that an earlier attempt left' },
  { rights: /: s3:GetObject .*\/state\/next-head\.json$/, why: 'a head that was lost' },
  {
    rights: /^OperationsOperateRole: s3:PutObject .*\/state-copy\/lake\.json$/,
    why: 'a lake of an earlier version has no marker',
  },
];
