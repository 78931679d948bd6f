import { closeSync, openSync, writeSync } from 'node:fs';
import type { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { Duck } from './duck.ts';
import { NumericWriter } from './numeric.ts';

/** How a column of DuckDB stands in a binary COPY: DATE, SMALLINT, INTEGER, BIGINT or DECIMAL(38,12). */
export type PlainColumn = 'date' | 'int2' | 'int4' | 'int8' | 'numeric';

/** A plain column, or a USMALLINT that names one of several ready-made runs of fields, counted from 1. */
export type BinaryColumn = PlainColumn | { runs: readonly Fields[] };

/** Fields as they stand in a row, each behind its length. */
export interface Fields {
  count: number;
  bytes: Uint8Array;
}

const signature = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const endOfData = Buffer.from([0xff, 0xff]);
const bytesOf = { date: 4, int2: 2, int4: 4, int8: 8, numeric: 16 } as const;
/** PostgreSQL counts days from 2000-01-01, DuckDB from 1970-01-01. */
const postgresEpochDays = 10_957;
const bufferBytes = 1 << 18;
/** Above the longest row. */
const rowBytes = 1 << 12;

/** @param values UUIDs as text, or other text as it is */
export function textFields(...values: readonly string[]): Fields {
  return fields(values.map((value) => Buffer.from(value)));
}

/** @param ids UUIDs as text */
export function uuidFields(...ids: readonly string[]): Fields {
  return fields(ids.map((id) => Buffer.from(id.replaceAll('-', ''), 'hex')));
}

/** @param day `YYYY-MM-DD` */
export function dateField(day: string): Fields {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Date.parse(day) / 86_400_000 - postgresEpochDays);
  return fields([bytes]);
}

/** Fields one after another. */
export function joinFields(...all: readonly Fields[]): Fields {
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    bytes: Buffer.concat(all.map(({ bytes }) => bytes)),
  };
}

function fields(values: readonly Buffer[]): Fields {
  const parts = values.flatMap((value) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(value.length);
    return [length, value];
  });
  return { count: values.length, bytes: Buffer.concat(parts) };
}

/** Writes the rows of a query in PostgreSQL's binary COPY format (documentation of COPY, "Binary Format"), each behind the
 *  same leading fields. Both sides of the load spend half the time on it that they spend on text. */
export async function writeBinaryCopy(
  duck: Duck,
  query: string,
  columns: readonly BinaryColumn[],
  target: { path: string; leading: Fields },
): Promise<void> {
  const file = openSync(target.path, 'w', 0o600);
  try {
    const writer = new RowWriter(file, columns, target.leading);
    const result = await duck.connection.stream(query);
    for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk())
      writer.write(chunk);
    writer.end();
  } finally {
    closeSync(file);
  }
}

/** A column's values in one chunk. */
interface Values {
  kind: BinaryColumn;
  bytes: Uint8Array;
  /** 32-bit words of it, for numerics. */
  words: Uint32Array;
  /** A bit for each row that is not null; null when all are. */
  valid: Uint8Array | null;
}

class RowWriter {
  readonly #file: number;
  readonly #columns: readonly BinaryColumn[];
  /** What every row begins with: the number of its fields, and the leading ones. */
  readonly #head: Uint8Array;
  readonly #buffer = Buffer.alloc(bufferBytes);
  readonly #numeric = new NumericWriter(this.#buffer);
  #at = 0;

  constructor(file: number, columns: readonly BinaryColumn[], leading: Fields) {
    this.#file = file;
    this.#columns = columns;
    const own = columns.reduce(
      (sum, column) => sum + (typeof column === 'string' ? 1 : (column.runs[0]?.count ?? 0)),
      0,
    );
    const count = Buffer.alloc(2);
    count.writeInt16BE(leading.count + own);
    this.#head = Buffer.concat([count, leading.bytes]);
    this.#put(signature);
  }

  write(chunk: DuckDBDataChunk): void {
    const rows = chunk.rowCount;
    const columns = this.#columns.map((kind, index) => valuesOf(chunk, index, kind));
    for (let row = 0; row < rows; row++) {
      if (this.#at > bufferBytes - rowBytes) this.#flush();
      this.#put(this.#head);
      for (const column of columns) this.#field(column, row);
    }
  }

  end(): void {
    this.#put(endOfData);
    this.#flush();
  }

  #field({ kind, bytes, words, valid }: Values, row: number): void {
    if (valid && !((valid[row >> 3] ?? 0) & (1 << (row & 7)))) this.#at = this.#buffer.writeInt32BE(-1, this.#at);
    else if (kind === 'numeric') this.#at = this.#numeric.write(words, row * 4, this.#at);
    else if (typeof kind !== 'string') this.#put(runOf(kind.runs, bytes, row));
    else if (kind === 'date') this.#date(bytes, row);
    else this.#integer(bytes, row, bytesOf[kind]);
  }

  #date(bytes: Uint8Array, row: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset + row * 4, 4);
    this.#at = this.#buffer.writeInt32BE(4, this.#at);
    this.#at = this.#buffer.writeInt32BE(view.getInt32(0, true) - postgresEpochDays, this.#at);
  }

  /** Little endian here, big endian there. */
  #integer(bytes: Uint8Array, row: number, size: number): void {
    const buffer = this.#buffer;
    let at = buffer.writeInt32BE(size, this.#at);
    for (let from = row * size + size - 1; from >= row * size; from--) buffer[at++] = bytes[from] ?? 0;
    this.#at = at;
  }

  #put(bytes: Uint8Array): void {
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #flush(): void {
    for (let from = 0; from < this.#at;) from += writeSync(this.#file, this.#buffer, from, this.#at - from);
    this.#at = 0;
  }
}

function valuesOf(chunk: DuckDBDataChunk, index: number, kind: BinaryColumn): Values {
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, index);
  const size = typeof kind === 'string' ? bytesOf[kind] : 2;
  const bytes = duckdb.vector_get_data(vector, chunk.rowCount * size);
  const valid: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(chunk.rowCount / 64) * 8);
  const words = kind === 'numeric' ? new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4) : noWords;
  return { kind, bytes, words, valid };
}

const noWords = new Uint32Array();

function runOf(runs: readonly Fields[], bytes: Uint8Array, row: number): Uint8Array {
  const run = runs[(bytes[row * 2] ?? 0) + (bytes[row * 2 + 1] ?? 0) * 256 - 1];
  if (!run) throw new Error('a row names a run of fields that there is not');
  return run.bytes;
}
