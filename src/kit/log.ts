import { pino } from 'pino';
import type { DestinationStream, LevelWithSilent, Logger } from 'pino';

/** Structured log: one JSON object a line on standard output. */
export type Log = Logger;

/** Names under which secrets travel. They are cut out wherever they stand, down to the third level. */
const SECRET_NAMES = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'passwordHash',
  'token',
  'accessToken',
  'refreshToken',
  'credentials',
  'secret',
  'jwtKeys',
  'encryptionKeys',
  'databaseUrl',
  'redisUrl',
  'smtpUrl',
  'metricsToken',
  'apiKey',
  'connectionString',
];

const REDACTED = SECRET_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

/** Opens the log.
 *  @param level lowest level that is written; `silent` writes nothing
 *  @param destination where it goes; standard output by default */
export function openLog(level: LevelWithSilent, destination?: DestinationStream): Log {
  const redact = { paths: REDACTED, censor: '[secret]' };
  const options = { level, base: null, redact, serializers: { err: describeError } };
  return destination ? pino(options, destination) : pino(options);
}

/** What an error says. Its other fields stay out: a driver's errors carry whole connections. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}
