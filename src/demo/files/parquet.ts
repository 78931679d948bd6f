import { literal } from '../../engine/sql.ts';
import { rm, writeFile } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { gcpColumns } from '../../sample/files/columns.ts';
import { csvOf } from '../../sample/files/csv.ts';
import type { FocusRow } from '../../sample/files/focus-row.ts';

/** Writes Parquet files with Google's columns, tags as a map. Uses one thread, so that equal rows produce equal
 *  bytes. */
export class ParquetWriter {
  readonly #instance: DuckDBInstance;

  constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  static async open(): Promise<ParquetWriter> {
    return new ParquetWriter(await DuckDBInstance.create(':memory:', { threads: '1', memory_limit: '256MB' }));
  }

  /** @param target absolute path; a temporary file with `.csv` appended to its name is created and removed next to
   *  it. */
  async write(rows: readonly FocusRow[], target: string): Promise<void> {
    const names = gcpColumns.map(([name]) => name);
    await writeFile(`${target}.csv`, csvOf(names, rows));
    const connection = await this.#instance.connect();
    try {
      const select = gcpColumns.map(([name, type]) => `${castOf(name, type)} AS "${name}"`).join(', ');
      await connection.run(
        `COPY (SELECT ${select} FROM read_csv(${literal(`${target}.csv`)}, header = true, all_varchar = true, quote = '"', escape = '"'))
         TO ${literal(target)} (FORMAT parquet, COMPRESSION snappy)`,
      );
    } finally {
      connection.closeSync();
      await rm(`${target}.csv`, { force: true });
    }
  }

  close(): void {
    this.#instance.closeSync();
  }
}

function castOf(name: string, type: string): string {
  return type.startsWith('MAP') ? `CAST(CAST("${name}" AS JSON) AS ${type})` : `CAST("${name}" AS ${type})`;
}
