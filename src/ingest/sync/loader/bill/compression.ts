import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { literal } from '../../../../engine/sql.ts';
import type { Duck } from '../duck.ts';
import type { LoaderFile } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { readZstd } from './zstd.ts';

type Compression = 'none' | 'gzip' | 'zstd';

/** Returns the compression of a file, by DuckDB's names: it would otherwise decide by the extension. */
export function compressionOf({ format }: LoaderFile): Compression {
  return format === 'csv.gz' ? 'gzip' : format === 'csv.zst' ? 'zstd' : 'none';
}

/** Reads a file's uncompressed bytes.
 *  @param onRead called with the number of bytes of the file read so far
 *  @throws {Refusal} when a compressed file is cut off or damaged, or has very many small zstd frames */
export async function* readBytes(
  file: LoaderFile,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Buffer, void> {
  const compression = compressionOf(file);
  try {
    if (compression === 'zstd') return yield* readZstd(file, onRead);
    const source = createReadStream(file.path, { highWaterMark: 1 << 20 });
    if (compression === 'none') return yield* source;
    const inflated = source.pipe(createGunzip({ chunkSize: 1 << 18 }));
    source.on('error', (error) => inflated.destroy(error));
    try {
      for await (const chunk of inflated) {
        onRead(source.bytesRead);
        yield chunk;
      }
    } finally {
      source.destroy();
    }
  } catch (error) {
    throw compression === 'none' || error instanceof Refusal ? error : damaged(file, compression, error);
  }
}

/** Compression ratio above which a file counts as a decompression bomb. Real exports stay below 60; gzip's maximum is 1032. */
const maxRatio = 200;
const minBombBytes = 256 << 20;

/** Inflates a compressed file to its end, because a line reader does not notice a file truncated between two lines.
 *  @throws {Refusal} when the checksum, length or end is wrong, or the compression ratio is too high */
export async function verifyCompressed(file: LoaderFile): Promise<void> {
  if (compressionOf(file) === 'none') return;
  let read = 0;
  let inflated = 0;
  for await (const chunk of readBytes(file, (bytes) => (read = bytes))) {
    inflated += chunk.length;
    refuseBomb(file, read, inflated);
  }
}

function refuseBomb({ name }: LoaderFile, bytes: number, inflated: number): void {
  if (inflated > minBombBytes && inflated > bytes * maxRatio)
    throw new Refusal(`${name}: inflates to more than ${maxRatio} times its size; it is not a billing export`);
}

/** Number of rows from which a Parquet file needs at least a byte per row. Real exports need more than 50; repeated values take
 *  next to no bytes. */
const minBombRows = 2_000_000;

/** Checks the metadata of a Parquet file, before any row is read.
 *  @throws {Refusal} when row groups share their data, or the file has too many rows or bytes for its size */
export async function verifyParquet(duck: Duck, file: LoaderFile): Promise<void> {
  const path = literal(file.path);
  const [found] = await duck.rows(`SELECT any_value(file_size_bytes) AS size, greatest(any_value(num_rows),
      sum(abs(row_group_num_rows)) FILTER (column_id = 0)) AS rows, sum(abs(total_uncompressed_size)) AS inflated,
      count(*) FILTER (num_values > 0) > count(DISTINCT data_page_offset) FILTER (num_values > 0) AS repeats
    FROM parquet_file_metadata(${path}) LEFT JOIN parquet_metadata(${path}) USING (file_name)`);
  const [size, rows, inflated] = [Number(found?.['size']), Number(found?.['rows']), Number(found?.['inflated'])];
  if (found?.['repeats'] === 'true')
    throw new Refusal(
      `${file.name}: row groups share their data, so the same rows would count several times; export the bill again`,
    );
  if (rows > minBombRows && rows > size)
    throw new Refusal(
      `${file.name}: ${rows} rows in ${size} bytes; above ${minBombRows} rows, a file needs at least a byte per row: it is not a billing export; export the bill again`,
    );
  refuseBomb(file, size, inflated);
}

/** Converts an inflate error into a message for the file's owner. */
function damaged(file: LoaderFile, compression: Compression, error: unknown): Refusal {
  const reason = error instanceof Error ? error.message : String(error);
  return new Refusal(
    `${file.name}: the ${compression} data is truncated or damaged (${reason}); replace it with an intact file`,
    {
      cause: error,
    },
  );
}
