import { DuckDBInstance } from '@duckdb/node-api';

/** DuckDB as anybody has it: no setting and no macro of ours, and a zone that is not ours. It reads a database file. */
export async function stockClient(file: string) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`attach '${file.replaceAll("'", "''")}' as lake (read_only)`);
  await connection.run('use lake');
  await connection.run("set TimeZone = 'America/New_York'");
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();
  return {
    rows,
    run: async (sql: string) => void (await connection.run(sql)),
    [Symbol.dispose]: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
