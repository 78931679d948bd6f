import path from 'node:path';
import type { Config, Environment } from '../../kit/config/config.ts';
import { type AppError, fix, invalid } from '../../kit/errors/errors.ts';
import { type WrittenKeys, writeKeys } from '../../kit/secrets/keys.ts';
import type { Header } from './archive/format.ts';
import { keyIds, keysOf, type Keys } from './archive/seal.ts';

const kinds = [
  { kind: 'encryption', variable: 'ENCRYPTION_KEY', file: 'encryption.key' },
  { kind: 'jwt', variable: 'JWT_KEY', file: 'jwt.key' },
] as const;

/** Returns the location of each key of this server: its variable, or its file in the data folder.
 *  @param env with the secrets of files */
export function keyPlaces(env: Environment, { dataDir }: Pick<Config, 'dataDir'>): string[] {
  return kinds.map(({ variable, file }) => (env[variable]?.trim() ? variable : path.join(dataDir, file)));
}

/** Puts the keys of a backup into the data folder, and keeps previous ones beside them. Those set by variables stay.
 *  @param env with the secrets of files
 *  @param aside suffix of the previous files
 *  @returns the files that were written */
export function installKeys(
  env: Environment,
  { dataDir }: Pick<Config, 'dataDir'>,
  { keys, aside }: { readonly keys: Keys; readonly aside: string },
): WrittenKeys[] {
  const written: WrittenKeys[] = [];
  try {
    for (const { kind, variable, file } of kinds) {
      if (env[variable]?.trim()) continue;
      const one = writeKeys(dataDir, file, { keys: keys[kind], aside });
      if (one) written.push(one);
    }
    return written;
  } catch (error) {
    for (const { undo } of written) undo();
    throw error;
  }
}

/** The keys that a server would have after a restore: those of variables stay, those of the backup replace files. */
export function keysAfterRestore(
  env: Environment,
  config: Pick<Config, 'jwtKeys' | 'encryptionKeys'>,
  unsealed: Keys | null,
): Keys {
  const configured = keysOf(config);
  const of = (kind: keyof Keys, variable: string) =>
    (env[variable]?.trim() ? null : unsealed?.[kind]) ?? configured[kind];
  return { encryption: of('encryption', 'ENCRYPTION_KEY'), jwt: of('jwt', 'JWT_KEY') };
}

/** Warns if keys are not those of the backup. */
export function keyWarnings({ keyIds: expected }: Header, keys: Keys): string[] {
  const has = (kind: keyof Keys) => {
    const ids = new Set(keyIds(keys[kind]));
    return expected[kind].every((id) => ids.has(id));
  };
  return [
    ...(has('encryption')
      ? []
      : [
          'ENCRYPTION_KEY is not the key of this backup: credentials of accounts, second factors, channels and webhooks cannot be read. Put the key of the backed-up server after yours (new,old) before you start the server.',
        ]),
    ...(has('jwt')
      ? []
      : ['JWT_KEY is not the key of this backup: access tokens become invalid, and clients refresh them.']),
  ];
}

/** Checks that a server can use the secrets of the backup after its restore.
 *  @throws {AppError} VALIDATION_ERROR if the passphrase of sealed keys is missing, or servers would refuse to start */
export function refuseOtherKeys(
  { keyIds: expected, keys: sealed }: Header,
  { keys, isUnsealed }: { readonly keys: Keys; readonly isUnsealed: boolean },
): void {
  const [current = ''] = expected.encryption;
  if (keyIds(keys.encryption).includes(current)) return;
  if (sealed && !isUnsealed) throw sealedKeys();
  throw invalid`ENCRYPTION_KEY is not the key of this backup, and servers would refuse to start with it${fix}set it to the key of the backed-up server, or to NEW_KEY,OLD_KEY to replace it; if that key is lost, add --lost-key`;
}

function sealedKeys(): AppError {
  return invalid`ENCRYPTION_KEY is not the key of this backup, which has its keys sealed with a passphrase${fix}give the passphrase with --passphrase-file or BACKUP_PASSPHRASE, or set ENCRYPTION_KEY to the key of the backed-up server; if both are lost, add --lost-key`;
}
