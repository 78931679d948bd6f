import { type AppError, fix, invalid } from '../../../kit/errors/errors.ts';

/** Maximum number of characters of a name in a message. */
const maxShown = 200;

/** An error for an archive that was not copied completely. */
export function damaged(how: string): AppError {
  return invalid`The backup is damaged: ${how}${fix}copy it again, or use another backup`;
}

/** An error for an archive whose digests are right, but whose content no backup writes. */
export function edited(how: string, cause?: unknown): AppError {
  const error = invalid`The backup is damaged or was edited: ${how}${fix}use another backup`;
  error.cause = cause;
  return error;
}

/** A name from an archive, for a message: quoted, without control characters, and shortened. */
export function quoted(name: string): string {
  const text = name.length > maxShown ? `${name.slice(0, maxShown)}…` : name;
  return JSON.stringify(text).replaceAll(/[\p{Cc}\p{Cf}]/gu, '?');
}
