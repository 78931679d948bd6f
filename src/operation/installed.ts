import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Config, type Environment, readConfig } from '../kit/config/config.ts';
import { readSecretFiles } from '../kit/config/secret-files.ts';
import { SECRET_VARIABLES } from '../kit/config/variables.ts';
import { fix, invalid } from '../kit/errors/errors.ts';

/** The environment with the secrets of `NAME_FILE` variables under their own names. `readConfig` reports unreadable files. */
export function withSecrets(env: Environment): Environment {
  return readSecretFiles(env, SECRET_VARIABLES).env;
}

/** Reads the configuration of a command of the operator, which generates no keys. Its log has only errors by default.
 *  @throws {AppError} VALIDATION_ERROR if root runs it on the data of another user */
export function commandConfig(env: Environment): Config {
  const config = readConfig(env, 'leave');
  refuseOwner(config);
  return { ...config, logLevel: config.logLevel === 'info' ? 'error' : config.logLevel };
}

/** Checks that the server can change the files that this process makes.
 *  @throws {AppError} VALIDATION_ERROR */
export function refuseOwner({ dataDir }: Pick<Config, 'dataDir'>): void {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid ?? 0;
  if (process.getuid?.() !== 0 || owner === 0) return;
  throw invalid`DATA_DIR: ${dataDir} belongs to user ${owner}, who could not change files of root${fix}run the command as that user, such as with "sudo -u '#${owner}'"`;
}

/** Checks that the embedded database exists: in a wrong DATA_DIR, a command would create an empty one.
 *  @throws {AppError} VALIDATION_ERROR */
export function refuseAbsentData({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): void {
  if (databaseUrl !== null) return;
  if (!existsSync(dataDir))
    throw invalid`DATA_DIR: ${dataDir} does not exist, so there is no database${fix}set DATA_DIR or DATABASE_URL as for the server`;
  // If the user of the database cannot enter the folder, it has only an id of the database.
  if (readdirSync(dataDir).some((name) => name === 'database.id' || /^pg\d+$/.test(name))) return;
  throw invalid`DATA_DIR: ${dataDir} has no database${fix}set DATA_DIR or DATABASE_URL as for the server`;
}

/** Checks that the keys exist: a server generates them, a command does not.
 *  @throws {AppError} VALIDATION_ERROR */
export function refuseAbsentKeys(config: Pick<Config, 'dataDir' | 'jwtKeys' | 'encryptionKeys'>): void {
  const absent = [
    { variable: 'ENCRYPTION_KEY', file: 'encryption.key', keys: config.encryptionKeys },
    { variable: 'JWT_KEY', file: 'jwt.key', keys: config.jwtKeys },
  ].find(({ keys }) => keys.length === 0);
  if (!absent) return;
  throw invalid`${absent.variable}: missing, and ${path.join(config.dataDir, absent.file)} does not exist${fix}set DATA_DIR or ${absent.variable} as for the server`;
}
