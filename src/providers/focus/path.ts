import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { arg, fix, invalid, type Part, type Subject } from '../../kit/errors/errors.ts';

/** Stands for the id of the organization in FOCUS_ROOT. */
const organizationToken = '{organization}';

/** Returns the root folder of an organization's bills.
 *  @param focusRoot FOCUS_ROOT; null if it is not set */
export function focusRootOf(focusRoot: string | null, organizationId: string): string | null {
  return focusRoot && focusRoot.replaceAll(organizationToken, organizationId);
}

/** Returns the folder that holds all folders of bills: FOCUS_ROOT up to the id of the organization. */
export function sharedRootOf(focusRoot: string): string {
  const [shared = focusRoot] = focusRoot.split(organizationToken);
  return shared === focusRoot ? focusRoot : path.dirname(`${shared}x`);
}

/** Normalizes a `settings.path` for storage and comparison: `/` between names, no `.` and no empty ones; `.` for the root
 *  itself. Does not check whether it exists.
 *  @throws {AppError} VALIDATION_ERROR when it is empty, absolute, or contains "..". */
export function normalizeFocusPath(given: string): string {
  const say = arg('settings.path', given);
  if (given.trim() === '')
    throw invalid`${arg('settings.path')} is empty${fix}specify a folder or file under FOCUS_ROOT, or "." for the root itself`;
  if (given.includes('\0')) throw invalid`${say} contains a NUL character${fix}remove it`;
  if (path.posix.isAbsolute(given) || path.win32.isAbsolute(given) || /^[a-z]:/i.test(given)) {
    throw invalid`${say} is absolute${fix}give it relative to FOCUS_ROOT`;
  }
  const segments = given.split(/[/\\]/);
  if (segments.includes('..')) throw invalid`${say} contains ".."${fix}specify a folder or file under FOCUS_ROOT`;
  return segments.filter((segment) => segment !== '' && segment !== '.').join('/') || '.';
}

/** Returns whether an absolute path is the folder itself or in it. Both must be real paths, without symbolic links. */
export function isWithin(folder: string, candidate: string): boolean {
  const relative = path.relative(folder, candidate);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

/** Resolves all symbolic links of a path and rejects one that leaves the root.
 *  @param name of the path in messages
 *  @throws {AppError} VALIDATION_ERROR when it leaves the root, does not exist or cannot be read. */
export async function resolveInside(root: string, absolute: string, name: Subject | readonly Part[]): Promise<string> {
  const real = await realpath(absolute).catch((cause: unknown) => {
    throw unreadable(name, cause);
  });
  if (!isWithin(root, real))
    throw invalid`${name} is a symbolic link that leaves FOCUS_ROOT${fix}copy the files under the root instead`;
  return real;
}

/** Converts a file system error to a message without the server's own paths. */
export function unreadable(name: Subject | readonly Part[], cause: unknown): Error {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return invalid`${name} does not exist under FOCUS_ROOT${fix}check its spelling, or create it`;
    case 'EACCES':
    case 'EPERM':
      return invalid`${name} cannot be read by the server${fix}give its user permission to read it`;
    case 'ELOOP':
      return invalid`${name} is a symbolic link to itself${fix}remove it`;
    default:
      return invalid`${name} cannot be read (${code})`;
  }
}
