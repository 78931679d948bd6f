import { createHash } from 'node:crypto';
import fs from 'node:fs';

/** Longer than any line: 40 digits, a colon and a count. */
const lineBytes = 80;

/** Whether a file lists the SHA-1 of a password. The file is that of Have I Been Pwned: sorted lines of a hash in
 *  hexadecimal, optionally with a colon and a count. A binary search reads about 40 short blocks of any file.
 *  @throws {Error} if the file cannot be read */
export function isBreached(file: string, password: string): boolean {
  const wanted = createHash('sha1').update(password).digest('hex').toUpperCase();
  const descriptor = fs.openSync(file, 'r');
  try {
    let [low, high] = [0, fs.fstatSync(descriptor).size];
    while (low < high) {
      const line = lineAt(descriptor, Math.floor((low + high) / 2));
      if (line.hash === wanted) return true;
      if (line.hash < wanted) low = line.end;
      else high = line.start;
    }
    return false;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The line that contains a position of the file. */
function lineAt(descriptor: number, position: number): { hash: string; start: number; end: number } {
  const offset = Math.max(0, position - lineBytes);
  const buffer = Buffer.alloc(2 * lineBytes);
  const length = fs.readSync(descriptor, buffer, 0, buffer.length, offset);
  const text = buffer.toString('latin1', 0, length);
  const start = position === 0 ? 0 : text.lastIndexOf('\n', position - offset - 1) + 1;
  const lineBreak = text.indexOf('\n', start);
  const end = lineBreak === -1 ? length : lineBreak + 1;
  return { hash: text.slice(start, start + 40).toUpperCase(), start: offset + start, end: offset + end };
}
