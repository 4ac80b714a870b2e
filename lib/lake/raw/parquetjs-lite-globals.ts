/**
 * Variables that parquetjs-lite assigns without declaring them. A bundle for Lambda is a strict ES module, where that
 * is a ReferenceError, unless the globals exist before. So this file is imported first.
 */
const UNDECLARED = [
  'Statistics',
  'StringType',
  'UUIDType',
  'MapType',
  'ListType',
  'EnumType',
  'DateType',
  'NullType',
  'DecimalType',
  'MilliSeconds',
  'MicroSeconds',
  'TimeUnit',
  'TimestampType',
  'TimeType',
  'IntType',
  'JsonType',
  'BsonType',
  'LogicalType',
  'SchemaElement',
  'DataPageHeader',
  'IndexPageHeader',
  'DictionaryPageHeader',
  'DataPageHeaderV2',
  'PageHeader',
  'KeyValue',
  'SortingColumn',
  'PageEncodingStats',
  'ColumnMetaData',
  'ColumnChunk',
  'RowGroup',
  'TypeDefinedOrder',
  'ColumnOrder',
  'PageLocation',
  'OffsetIndex',
  'ColumnIndex',
  'FileMetaData',
];

for (const name of UNDECLARED) Reflect.set(globalThis, name, undefined);

/**
 * parquetjs-lite calls `new Buffer` 10,000 times. For each call Node looks whether the code lies below node_modules,
 * which takes 40 ms in all, or it prints a warning, as in a bundle. After its first warning Node does neither, so we
 * make it warn here, and drop the warning: a user could do nothing about it.
 */
const { emitWarning } = process;
process.emitWarning = () => {};
Reflect.construct(Buffer, [0]);
process.emitWarning = emitWarning;
