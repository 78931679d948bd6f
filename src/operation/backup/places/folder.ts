import type { Readable } from 'node:stream';
import type { Config } from '../../../kit/config/config.ts';

/** Destination of a backup. Nothing shows under its name before `commit`. */
export interface Sink {
  write(chunk: Buffer): Promise<void>;
  /** Makes it durable and visible. */
  commit(): Promise<void>;
  /** Removes everything that was written. */
  abort(): Promise<void>;
}

/** A stored backup. */
export interface StoredBackup {
  readonly name: string;
  readonly bytes: number;
}

/** A folder or bucket with backups. */
export interface BackupFolder {
  /** How messages name a backup in it. */
  describe(name: string): string;
  /** @throws {AppError} CONFLICT if the name is taken; VALIDATION_ERROR if it cannot be written */
  create(name: string): Promise<Sink>;
  /** @throws {AppError} VALIDATION_ERROR if it does not exist or cannot be read */
  open(name: string): Promise<{ readonly bytes: number; read(): Promise<Readable> }>;
  /** Scheduled backups, oldest first.
   *  @throws {AppError} VALIDATION_ERROR if the folder or bucket does not exist or cannot be listed */
  list(): Promise<StoredBackup[]>;
  remove(name: string): Promise<void>;
  /** Removes what killed backups left behind. */
  tidy(): Promise<void>;
}

/** Settings for the connection to a bucket. */
export type PlaceConfig = Pick<Config, 'clouds' | 'connectorEnvironment'>;

/** Pattern of generated backup names, which contain the time and so sort by age. */
const namePattern = /^costkeep-\d{8}T\d{6}Z\.tar$/;

/** Name of a backup made now. */
export function nameOf(now: Date): string {
  return `costkeep-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.tar`;
}

/** When a backup with such a name was made. */
export function timeOf(name: string): Date {
  const [, year, month, day, hour, minute, second] = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(name) ?? [];
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** Whether a name was chosen by date: retention deletes only these. */
export function isChosenByDate(name: string): boolean {
  return namePattern.test(name);
}
