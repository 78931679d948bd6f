import path from 'node:path';
import { arg, fix, invalid } from '../../../kit/errors/errors.ts';
import { fileFolder, isFolder } from './file.ts';
import type { BackupFolder, PlaceConfig } from './folder.ts';

/** A backup's folder and its name there; null: it is chosen when the backup is made. */
export interface BackupPlace {
  readonly folder: BackupFolder;
  readonly name: string | null;
}

/** Reads a location: a file, a folder, or `s3://bucket/prefix/name`; with a slash at its end, a folder or prefix.
 *  @throws {AppError} VALIDATION_ERROR if it is none of these */
export async function placeOf(text: string, config: PlaceConfig): Promise<BackupPlace> {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(text)?.[1];
  if (scheme === undefined) return filePlace(text);
  const [, bucket = '', key = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? [];
  if (bucket === '')
    throw invalid`${arg('location', text)} is not a location for backups${fix}use a file, a folder or s3://bucket/prefix/name`;
  const { s3Folder } = await import('./s3.ts');
  const end = key.lastIndexOf('/') + 1;
  const name = key.slice(end);
  return { folder: s3Folder(config, bucket, key.slice(0, end)), name: name === '' ? null : name };
}

/** Reads a location that is always a folder or prefix, such as BACKUP_URL. */
export async function folderOf(text: string, config: PlaceConfig): Promise<BackupFolder> {
  return (await placeOf(`${text.replace(/\/+$/, '')}/`, config)).folder;
}

async function filePlace(text: string): Promise<BackupPlace> {
  const absolute = path.resolve(text);
  if (/[/\\]$/.test(text) || (await isFolder(absolute))) return { folder: fileFolder(absolute), name: null };
  return { folder: fileFolder(path.dirname(absolute)), name: path.basename(absolute) };
}
