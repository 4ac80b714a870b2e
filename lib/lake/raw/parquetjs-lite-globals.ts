/**
 * Variables that parquetjs-lite assigns without a declaration. A Lambda bundle is a strict ES module, where
 * that throws a ReferenceError unless the globals exist. So this file is imported first.
 */
const UNDECLARED = (
  'Statistics StringType UUIDType MapType ListType EnumType DateType NullType DecimalType MilliSeconds ' +
  'MicroSeconds TimeUnit TimestampType TimeType IntType JsonType BsonType LogicalType SchemaElement ' +
  'DataPageHeader IndexPageHeader DictionaryPageHeader DataPageHeaderV2 PageHeader KeyValue ' +
  'SortingColumn PageEncodingStats ColumnMetaData ColumnChunk RowGroup TypeDefinedOrder ColumnOrder ' +
  'PageLocation OffsetIndex ColumnIndex FileMetaData'
).split(' ');

for (const name of UNDECLARED) Reflect.set(globalThis, name, undefined);

/**
 * parquetjs-lite calls `new Buffer` 10,000 times. Each time Node checks if the code is below node_modules,
 * which takes 40 ms in all. In a bundle it prints a warning instead. After its first warning Node does
 * neither. So we provoke it here and drop it: a user could do nothing about it.
 */
const { emitWarning } = process;
process.emitWarning = () => {};
Reflect.construct(Buffer, [0]);
process.emitWarning = emitWarning;
