import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Config, type Environment, readConfig } from '../kit/config/config.ts';
import { readSecretFiles } from '../kit/config/secret-files.ts';
import { SECRET_VARIABLES } from '../kit/config/variables.ts';
import { databaseCodes, isDatabaseAway } from '../kit/database/away.ts';
import { AppError, fix, invalid, message } from '../kit/errors/errors.ts';

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

/** Checks that the server can change the files that this process makes: root must not work on the data of a server that another
 *  user runs.
 *  @throws {AppError} VALIDATION_ERROR */
export function refuseOwner({ dataDir }: Pick<Config, 'dataDir'>): void {
  if (process.getuid?.() !== 0) return;
  const ofServer = ['encryption.key', 'facts', ''].map((name) => path.join(dataDir, name)).find((at) => existsSync(at));
  const owner = ofServer === undefined ? 0 : statSync(ofServer).uid;
  if (owner === 0) return;
  throw invalid`DATA_DIR: ${ofServer ?? dataDir} belongs to user ${owner}, whose server cannot change files that belong to root${fix}run the command as that user, for example with "sudo -u '#${owner}'"`;
}

/** Checks that the embedded database exists: in a wrong DATA_DIR, a command would create an empty one.
 *  @throws {AppError} VALIDATION_ERROR */
export function refuseAbsentData({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): void {
  if (databaseUrl !== null) return;
  if (!existsSync(dataDir))
    throw invalid`DATA_DIR: ${dataDir} does not exist, so there is no database${fix}set DATA_DIR or DATABASE_URL as for the server`;
  // If the user of the database cannot enter the folder, the database is elsewhere, and the folder has only its id.
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

/** Error codes of connections that are rejected or cannot be made: of Node, then of PostgreSQL. */
const connectCodes: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '28000',
  '28P01',
  '3D000',
]);

/** Explains a failed connection to the server of DATABASE_URL, without its password. Returns other errors unchanged. */
export function cannotConnect({ databaseUrl }: Pick<Config, 'databaseUrl'>, error: unknown): unknown {
  if (databaseUrl === null || !(error instanceof Error) || error instanceof AppError) return error;
  const causes = causesOf(error);
  const isRefused = causes.some(
    (one) => isDatabaseAway(one) || databaseCodes(one).some((code) => connectCodes.has(code)),
  );
  if (!isRefused) return error;
  const { host, pathname, searchParams } = new URL(databaseUrl);
  const address = `${host || searchParams.get('host')}${decodeURIComponent(pathname)}`;
  const reason = causes.map((one) => one.message).join(', ');
  const statement = message`DATABASE_URL: cannot connect to ${address}: ${reason}${fix}start PostgreSQL, or correct the host, port, user, password and database`;
  return new AppError('SERVICE_UNAVAILABLE', statement, { cause: error });
}

/** A host with several addresses fails with an error for each. */
function causesOf(error: Error): Error[] {
  const { cause = error } = error;
  if (cause instanceof AggregateError) return cause.errors.filter((one) => one instanceof Error);
  return cause instanceof Error ? [cause] : [error];
}
