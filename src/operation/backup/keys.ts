import path from 'node:path';
import type { Config, Environment } from '../../kit/config/config.ts';
import { writeKeys } from '../../kit/secrets/keys.ts';
import type { Header } from './archive/format.ts';
import { keyIds, keysOf, type Keys } from './archive/seal.ts';

const kinds = [
  { kind: 'encryption', variable: 'ENCRYPTION_KEY', file: 'encryption.key' },
  { kind: 'jwt', variable: 'JWT_KEY', file: 'jwt.key' },
] as const;

/** Where the keys of this server are: the variable, or the file in the data folder. */
export function keyPlaces(env: Environment, { dataDir }: Pick<Config, 'dataDir'>): string[] {
  return kinds.map(({ variable, file }) => (env[variable]?.trim() ? variable : path.join(dataDir, file)));
}

/** Puts the keys of a backup into the data folder. Those set by variables are the operator's, and stay.
 *  @param aside suffix of the files that are kept; null: there was no data that they protect
 *  @returns what was done */
export function installKeys(
  env: Environment,
  { dataDir }: Pick<Config, 'dataDir'>,
  { keys, aside }: { readonly keys: Keys; readonly aside: string | null },
): string[] {
  return kinds.flatMap(({ kind, variable, file }) => {
    if (env[variable]?.trim()) return [];
    const kept = writeKeys(dataDir, file, { keys: keys[kind], aside });
    const done = `Restored ${path.join(dataDir, file)}`;
    return [kept === null ? done : `${done}; the previous one is in ${kept}`];
  });
}

/** Warns if the configured keys are not those of the backup. */
export function keyWarnings(
  { keyIds: expected }: Header,
  config: Pick<Config, 'jwtKeys' | 'encryptionKeys'>,
): string[] {
  const own = keysOf(config);
  const has = (kind: 'jwt' | 'encryption') => {
    const ids = new Set(keyIds(own[kind]));
    return expected[kind].every((id) => ids.has(id));
  };
  return [
    ...(has('encryption')
      ? []
      : [
          'ENCRYPTION_KEY is not the key of this backup: credentials of accounts, second factors and webhooks cannot be read. Put the key of the backed-up server behind yours (new,old) before you start the server.',
        ]),
    ...(has('jwt') ? [] : ['JWT_KEY is not the key of this backup: users must sign in again.']),
  ];
}
