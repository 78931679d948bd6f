import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { invalid } from '../../kit/errors/errors.ts';
import { isWithin } from '../../providers/focus/path.ts';

/** Command-line options. */
export interface IngestOptions {
  /** A FOCUS file, or a folder of them. */
  readonly path: string;
  /** Id or name of the organization to load into. */
  readonly organization: string | null;
  /** A user of the organization to load into. */
  readonly email: string | null;
  /** Display name of a new account. */
  readonly name: string | null;
}

/** Usage of `npm run ingest`. */
export const ingestUsage = `Usage: npm run ingest -- PATH [--organization ID|NAME] [--email EMAIL] [--name NAME]

Loads bills into an organization: a file, or a folder with all its subfolders. Reads CSV and TSV (plain, gzip or zstd), Parquet,
and ZIP archives of these. Replaces months that are already loaded; skips unchanged files.

  --organization  id or name of the organization; optional if there is only one
  --email         a user of the organization; on a server without organizations, creates one with this user as Super Admin
  --name          display name of the account; default: the file or folder`;

/** A command-line path as an account's source. */
export interface Place {
  /** FOCUS_ROOT for this process. */
  readonly focusRoot: string;
  /** `settings.path` in it. */
  readonly path: string;
  /** Whether the server can also reach it, and keeps it up to date. */
  readonly isUnderFocusRoot: boolean;
}

/** Locates a path: in FOCUS_ROOT if possible, so that the server syncs it from then on; otherwise in the root of the file
 *  system, because the command-line user may read any file they have access to.
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
