import type { Config, Environment } from '../../kit/config/config.ts';
import { fix, invalid } from '../../kit/errors/errors.ts';
import type { WrittenKeys } from '../../kit/secrets/keys.ts';
import { formatBytes } from '../../kit/text/format.ts';
import { type ProgressBar, openProgressBar } from '../../kit/text/progress-bar.ts';
import { countText } from '../cli/text.ts';
import { type Arguments, readArgument, textOption } from '../cli/command.ts';
import type { Keys } from './archive/seal.ts';
import { unsealKeys } from './archive/seal.ts';
import { backUp, type BackupResult, type Progress } from './back-up.ts';
import { installKeys, keyPlaces, keysAfterRestore, keyWarnings, refuseOtherKeys } from './keys.ts';
import { readPassphrase } from './passphrase.ts';
import { type BackupPlace, placeOf } from './places/place.ts';
import { type Checked, checkBackup, restore, type RestoreResult } from './restore/restore.ts';

export const backupUsage = `Usage: npm run backup -- FILE|FOLDER/|s3://BUCKET/PREFIX/[NAME] [--passphrase-file FILE]

Writes a backup of the database, its fact files and uploaded bills to one file. The server can keep running.
In a folder or prefix, the file name is a timestamp in UTC: costkeep-20261127T013000Z.tar.

  --passphrase-file  file with a passphrase on its first line: seals the keys into the backup;
                     default: BACKUP_PASSPHRASE, else the keys are left out`;

export const backupOptions = { 'passphrase-file': { type: 'string' } } as const;

export const restoreUsage = `Usage: npm run restore -- FILE|s3://BUCKET/PREFIX/NAME [--replace] [--passphrase-file FILE] [--lost-key] [--check]

Restores a backup into the database (DATA_DIR or DATABASE_URL) and the fact store (FACTS_URL). Checks the whole backup
before it changes anything. The server must be stopped.

  --replace          deletes what the database contains; without it, the database must be empty
  --passphrase-file  file with the passphrase of the backup, if its keys are sealed; default: BACKUP_PASSPHRASE
  --lost-key         restores although the key of its secrets is lost: credentials of accounts, channels and
                     webhooks must be entered again, and second factors set up again
  --check            only checks that the backup is complete and can be restored by this version`;

export const restoreOptions = {
  'passphrase-file': { type: 'string' },
  replace: { type: 'boolean' },
  'lost-key': { type: 'boolean' },
  check: { type: 'boolean' },
} as const;

type BackupDeps = Parameters<typeof backUp>[0];

/** Destination of a backup, and the passphrase that seals its keys. */
export interface BackupTarget {
  readonly place: BackupPlace;
  /** Null: the keys are left out. */
  readonly passphrase: string | null;
}

/** Reads the arguments of `npm run backup`.
 *  @throws {UsageError} if the location or the file of the passphrase cannot be used */
export async function readBackupTarget(
  { positionals: [location = ''], options }: Arguments,
  config: Config,
): Promise<BackupTarget> {
  const place = await readArgument(() => placeOf(location, config));
  const passphrase = await readArgument(() => readPassphrase(textOption(options, 'passphrase-file'), config));
  return { place, passphrase };
}

/** Runs `npm run backup`.
 *  @returns what was written */
export async function runBackup(
  deps: BackupDeps,
  env: Environment,
  { place, passphrase }: BackupTarget,
  signal: AbortSignal,
): Promise<BackupResult> {
  const result = await withBar('Backup ', (onProgress) => backUp(deps, place, { passphrase, signal, onProgress }));
  console.log(backupText(result, keyPlaces(env, deps.config)));
  return result;
}

function backupText(
  { location, bytes, tables, rows, files, hasKeys, foreign }: BackupResult,
  places: string[],
): string {
  const lines = [
    `Backed up to ${location} (${formatBytes(bytes)}):`,
    `  ${countText(rows, 'row')} in ${countText(tables, 'table')}, ${countText(files, 'fact file')}`,
    ...(foreign.length > 0 ? [`  left out, since Costkeep did not create them: ${foreign.join(', ')}`] : []),
  ];
  if (hasKeys) return [...lines, '  keys, sealed with your passphrase: they cannot be read without it'].join('\n');
  return [
    ...lines,
    '',
    'THE KEYS ARE NOT IN THIS BACKUP. Keep them in a separate, safe place:',
    ...places.map((place) => `  ${place}`),
    'Without ENCRYPTION_KEY, credentials of accounts, second factors, channels and webhooks are lost. To seal the keys',
    'into backups, set BACKUP_PASSPHRASE or --passphrase-file.',
  ].join('\n');
}

/** A backup that can be restored. */
export interface ReadyBackup {
  readonly checked: Checked;
  /** Null: they are not in the backup, or no passphrase was given. */
  readonly keys: Keys | null;
  readonly location: string;
}

/** Checks the backup that `npm run restore` names, and opens its keys. */
export async function openBackup(
  { positionals: [location = ''], options, signal }: Arguments,
  config: Config,
): Promise<ReadyBackup> {
  const { folder, name } = await readArgument(() => placeOf(location, config));
  const passphrase = await readArgument(() => readPassphrase(textOption(options, 'passphrase-file'), config));
  if (name === null) {
    const newest = (await folder.list()).at(-1);
    const example = newest ? `, such as ${folder.describe(newest.name)}` : '';
    throw invalid`"${location}" is a folder${fix}specify a backup in it${example}`;
  }
  const checked = await withBar('Check  ', (onProgress) => checkBackup(folder, name, { signal, onProgress }));
  const { keys: sealed } = checked.header;
  const keys = sealed && passphrase !== null ? await unsealKeys(sealed, passphrase) : null;
  return { checked, keys, location: folder.describe(name) };
}

/** Describes a backup. */
export function describeBackup({ checked: { header, manifest, source }, keys, location }: ReadyBackup): string {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    `${location} (${formatBytes(source.bytes)}) is complete and unchanged:`,
    `  made by Costkeep ${header.costkeep} on PostgreSQL ${header.postgres} at ${header.createdAt}`,
    `  ${countText(rows, 'row')} in ${countText(manifest.tables.length, 'table')}, ${countText(manifest.files, 'fact file')}, ${countText(manifest.jobs.rows, 'background job')}`,
    `  ${keysText(header.keys !== null, keys !== null)}`,
    ...(keys ? ['The passphrase decrypts its keys.'] : []),
  ].join('\n');
}

function keysText(isSealed: boolean, isOpen: boolean): string {
  if (!isSealed) return 'no keys';
  const sealed = 'keys, sealed with a passphrase';
  return isOpen ? sealed : `${sealed}; no passphrase was given, so the keys were not decrypted`;
}

/** Restores a checked backup, with its keys.
 *  @param env with the secrets of files */
export async function runRestore(
  deps: Parameters<typeof restore>[0],
  env: Environment,
  { checked, keys }: ReadyBackup,
  { options, signal }: Pick<Arguments, 'options' | 'signal'>,
): Promise<void> {
  const [replace, lostKey] = [options['replace'] === true, options['lost-key'] === true];
  const aside = `before-${deps.clock.now().toISOString().replace(/\D/g, '')}`;
  let keyFiles: WrittenKeys[] = [];
  const writeKeys = () => (keyFiles = keys ? installKeys(env, deps.config, { keys, aside }) : []);
  const result = await withBar('Restore', (onProgress) =>
    restore(deps, checked, { replace, lostKey, signal, onProgress, writeKeys }),
  );
  console.log(restoreText(result));
  for (const { file, kept } of keyFiles)
    console.log(kept === null ? `Restored ${file}` : `Restored ${file}; the previous one is in ${kept}`);
}

/** Warns if the keys that the server would have after the restore are not those of the backup, before anything changes.
 *  @param env with the secrets of files
 *  @param mustFit rejects a backup that servers could not use with these keys
 *  @throws {AppError} VALIDATION_ERROR */
export function checkKeys(
  { checked: { header }, keys: unsealed }: ReadyBackup,
  env: Environment,
  { config, mustFit }: { readonly config: Config; readonly mustFit: boolean },
): void {
  const keys = keysAfterRestore(env, config, unsealed);
  if (mustFit) refuseOtherKeys(header, { keys, isUnsealed: unsealed !== null });
  for (const warning of keyWarnings(header, keys)) console.log(`\nWARNING: ${warning}`);
}

function restoreText(result: RestoreResult): string {
  const { replaced, rows, files, knownFiles, jobs, months, wrongMonths } = result;
  const gone = replaced.organizations.map((name) => `"${name}"`).slice(0, 10);
  return [
    `Restored ${countText(rows, 'row')}, ${countText(files, 'fact file')} and ${countText(jobs, 'background job')}.`,
    ...(gone.length > 0
      ? [
          `Replaced ${countText(replaced.organizations.length, 'organization')} (${gone.join(', ')}), ${countText(replaced.users, 'user')} and ${countText(replaced.accounts, 'account')}.`,
        ]
      : []),
    ...(knownFiles > 0
      ? [
          `${countText(knownFiles, 'fact file was', 'fact files were')} already at FACTS_URL: if another server uses them, give this one its own FACTS_URL.`,
        ]
      : []),
    wrongMonths.length === 0
      ? `The totals of ${months === 1 ? 'the month' : `all ${countText(months, 'month')}`} match those of the bills.`
      : `The totals of ${wrongMonths.length} of ${countText(months, 'month')} differ from those of the bills, as they did in the backup:`,
    ...wrongMonths.map((month) => `  ${month}`),
  ].join('\n');
}

async function withBar<Result>(
  label: string,
  work: (onProgress: (progress: Progress) => void) => Promise<Result>,
): Promise<Result> {
  const bar: ProgressBar = openProgressBar(label);
  try {
    return await work((progress) => bar.update(progress));
  } finally {
    bar.stop();
  }
}
