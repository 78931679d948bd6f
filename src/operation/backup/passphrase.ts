import { readFile } from 'node:fs/promises';
import type { Config } from '../../kit/config/config.ts';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';

const minCharacters = 12;

/** Reads the passphrase: the first line of a file, or BACKUP_PASSPHRASE.
 *  @param file null: not given
 *  @returns null if there is neither
 *  @throws {AppError} VALIDATION_ERROR if the file cannot be read, or its passphrase is too short */
export async function readPassphrase(file: string | null, { backup }: Pick<Config, 'backup'>): Promise<string | null> {
  if (file === null) return backup.passphrase;
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalid`${arg('--passphrase-file', file)} cannot be read: ${reason}${fix}specify a file with the passphrase in its first line`;
  });
  const [passphrase = ''] = text.split(/\r?\n/);
  if ([...passphrase].length >= minCharacters) return passphrase;
  throw invalid`${arg('--passphrase-file', file)} has a passphrase of fewer than ${minCharacters} characters${fix}use a longer one`;
}
