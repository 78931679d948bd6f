import { AppError, message } from '../../kit/errors/errors.ts';
import type { ByteRange } from '../../actions/reports/download.ts';

/** Parses a `Range` header (RFC 9110, 14). Null: send the whole file, because there is no header, it has several
 *  ranges, or it is malformed, which the standard says to ignore.
 *  @throws {AppError} RANGE_NOT_SATISFIABLE for a range outside the file */
export function rangeOf(header: string | undefined, size: number): ByteRange | null {
  const parts = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.replaceAll(/[ \t]/g, '') ?? '');
  const [, from = '', to = ''] = parts ?? [];
  if (!parts || (from === '' && to === '')) return null;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null;
  if (first >= size || (from === '' && Number(to) === 0)) throw outside(first, size);
  return { first, last };
}

function outside(first: number, size: number): AppError {
  return new AppError(
    'RANGE_NOT_SATISFIABLE',
    message`The range starts at byte ${first}, but the file has only ${size} bytes`,
    { headers: { 'Content-Range': `bytes */${size}` } },
  );
}
