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

/**
 * Its `new Buffer` has Node look 10,000 times whether that stands below node_modules (40 ms), or warn where it does not,
 * as in a bundle. Once it has warned, it does neither: it warns here, of nothing that a user could change.
 */
const { emitWarning } = process;
process.emitWarning = () => {};
Reflect.construct(Buffer, [0]);
process.emitWarning = emitWarning;
