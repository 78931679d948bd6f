import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { invalid } from '../../kit/errors.ts';
import { isWithin } from '../../providers/focus/path.ts';

/** A path of the command line as an account's source. */
export interface Place {
  /** What stands for FOCUS_ROOT in this process. */
  readonly focusRoot: string;
  /** `settings.path` under it. */
  readonly path: string;
  /** Whether the server reaches it as well, and keeps it up to date. */
  readonly isUnderFocusRoot: boolean;
}

/** Where a path stands: under FOCUS_ROOT when it lies there, so that the server syncs it from then on; else under the root
 *  of the file system, because whoever runs the command line may read what they may read.
 *  @throws {AppError} VALIDATION_ERROR when it does not exist */
export async function placeOf(given: string, focusRoot: string | null): Promise<Place> {
  const real = await realpath(given).catch(() => {
    throw invalid`"${given}" does not exist or cannot be read`;
  });
  const root = focusRoot === null ? null : await realpath(focusRoot).catch(() => null);
  if (root !== null && isWithin(root, real))
    return { focusRoot: root, path: below(root, real), isUnderFocusRoot: true };
  const { root: top } = path.parse(real);
  return { focusRoot: top, path: below(top, real), isUnderFocusRoot: false };
}

function below(root: string, real: string): string {
  return path.relative(root, real).split(path.sep).join('/') || '.';
}
