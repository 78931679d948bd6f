/** A resource of the machine that ran out, or a disk that no longer accepts writes. */
export type Exhausted = 'disk' | 'readOnlyDisk' | 'memory' | 'descriptors';

/** Error codes of Node and PostgreSQL, and messages of DuckDB and PostgreSQL, for each resource. */
const signs: readonly (readonly [Exhausted, RegExp, RegExp])[] = [
  ['disk', /^(ENOSPC|EDQUOT|53100)$/, /\b(ENOSPC|EDQUOT)\b|No space left on device|Disk quota exceeded/i],
  ['readOnlyDisk', /^EROFS$/, /\bEROFS\b|Read-only file system/i],
  ['descriptors', /^(EMFILE|ENFILE)$/, /\b(EMFILE|ENFILE)\b|Too many open files/i],
  ['memory', /^(ENOMEM|53200)$/, /\bENOMEM\b|Cannot allocate memory|^Out of Memory Error/i],
];

/** The resource whose exhaustion caused an error; null if the cause is another one. */
export function exhaustedBy(error: unknown): Exhausted | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error ? String(error.code) : '';
  const found = signs.find(([, codes, texts]) => codes.test(code) || texts.test(error.message));
  return found?.[0] ?? exhaustedBy(error.cause);
}
