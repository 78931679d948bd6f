import { pino } from 'pino';
import { isTraced, traceFields } from './tracing/spans.ts';
import type { DestinationStream, LevelWithSilent, Logger } from 'pino';

/** Structured log: one JSON object per line on standard output. */
export type Log = Logger;

/** Field names that carry secrets. They are redacted at any position, down to the third level. */
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

/** Creates the logger.
 *  @param level minimum level; `silent` writes nothing
 *  @param destination standard output by default */
export function openLog(level: LevelWithSilent, destination?: DestinationStream): Log {
  const redact = { paths: REDACTED, censor: '[secret]' };
  const options = {
    level,
    base: null,
    redact,
    serializers: { err: describeError },
    ...(isTraced() && { mixin: traceFields }),
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Serializes the message, code and cause of an error. Other fields are omitted: driver errors contain whole
 *  connections. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}
