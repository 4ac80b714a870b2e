/**
 * What parquetjs-lite's generated code assigns without declaring it. A bundle for Lambda is an ES module, strict, where
 * that is a ReferenceError when it is loaded, unless the globals are there before: import this first.
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
