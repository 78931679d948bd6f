import fs from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { parseExchangeRates, type RateSettings } from './exchange-rates.ts';
import { parseFactsUrl } from './facts-url.ts';
import { readOperations } from '../persisted-operations.ts';
import { nextDue } from '../time/cron.ts';
import { initVariables } from './init.ts';
import { isEndpoint, list, listOf, origins } from './variable-kinds.ts';

/** Variables whose values must never be printed or logged. */
export const SECRET_VARIABLES: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'REDIS_URL',
  'JWT_KEY',
  'ENCRYPTION_KEY',
  'SMTP_URL',
  'METRICS_TOKEN',
  'AI_API_KEY',
  'AZURE_STORAGE_KEY',
  'BACKUP_PASSPHRASE',
  'COSTKEEP_INIT_PASSWORD',
  'COSTKEEP_INIT_TOKEN',
]);

/** Every environment variable of the server. Messages say how to fix a value. */
export const variables = z.object({
  PORT: wholeNumber(0, 65_535, 3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: url(['http:', 'https:'], 'https://costs.example.com')
    .transform(withoutSlash)
    .refine(isOnlyOrigin, 'set it to a URL without a path, such as https://costs.example.com')
    .optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: url(['postgres:', 'postgresql:'], 'postgresql://user:password@host:5432/costkeep').optional(),
  DATABASE_DIRECT_URL: url(['postgres:', 'postgresql:'], 'postgresql://user:password@host:5432/costkeep').optional(),
  REDIS_URL: url(['redis:', 'rediss:'], 'redis://host:6379').optional(),
  JWT_KEY: keys().optional(),
  ENCRYPTION_KEY: keys().optional(),
  SMTP_URL: url(['smtp:', 'smtps:'], 'smtp://user:password@host:587').optional(),
  MAIL_FROM: z
    .string()
    .refine(isMailbox, 'set it to an address such as "Costkeep <costkeep@example.com>"')
    .default('Costkeep <costkeep@localhost>'),
  FOCUS_ROOT: z.string().optional(),
  AWS_ENDPOINT: endpoint().optional(),
  S3_ENDPOINT: endpoint().optional(),
  AWS_PRINCIPAL: z
    .string()
    .regex(
      /^arn:aws[a-z-]*:(iam|sts)::\d{12}:[\w+=,.@/-]+$/,
      'set it to the ARN of the role or user that the server runs as',
    )
    .optional(),
  // The Azure client accepts only https.
  AZURE_LOGIN_ENDPOINT: endpoint()
    .refine((value) => value.startsWith('https:'), 'set it to a URL that begins with https://')
    .default('https://login.microsoftonline.com'),
  AZURE_MANAGEMENT_ENDPOINT: endpoint().default('https://management.azure.com'),
  AZURE_BLOB_ENDPOINT: z
    .string()
    .refine(isBlobEndpoint, 'set it to a URL that contains {account}, such as https://{account}.blob.core.windows.net')
    .transform(withoutSlash)
    .default('https://{account}.blob.core.windows.net'),
  GOOGLE_ENDPOINT: endpoint().optional(),
  UPLOAD_MAX_MIB: wholeNumber(1, 1_048_576, 1024),
  FOCUS_ENDPOINTS: z
    .string()
    .refine(
      (value) => list(value).every(isEndpoint),
      'set it to comma-separated URLs, such as https://s3.example.com,https://minio.example.com:9000',
    )
    .transform((value) => list(value).map(withoutSlash))
    .default([]),
  // Limits from the specification, section "Rate limiting".
  RATE_LIMIT_AUTH: wholeNumber(1, 1_000_000, 20),
  RATE_LIMIT_READ: wholeNumber(1, 1_000_000, 100),
  RATE_LIMIT_WRITE: wholeNumber(1, 1_000_000, 30),
  RATE_LIMIT_REPORT: wholeNumber(1, 1_000_000, 5),
  RATE_LIMIT_EXPORT: wholeNumber(1, 1_000_000, 10),
  BREACHED_PASSWORDS: z
    .string()
    .refine(isHashFile, 'set it to a readable file of sorted SHA-1 hashes, as PwnedPasswordsDownloader writes it')
    .optional(),
  SESSION_IDLE_HOURS: wholeNumber(1, 168, 168),
  REGISTRATION: oneOf(['open', 'invite', 'first']).default('open'),
  ...initVariables,
  TRUST_PROXY: proxies(),
  CORS_ORIGINS: origins(),
  PERSISTED_OPERATIONS: z
    .string()
    .refine(
      (file) => readOperations(file) !== null,
      'set it to a readable JSON file with an object of GraphQL documents by id',
    )
    .transform(readOperations)
    .optional(),
  METRICS_TOKEN: z
    .string()
    .regex(
      /^[!-~]+$/,
      'set it to printable ASCII characters without spaces, such as the output of: openssl rand -hex 32',
    )
    .optional(),
  METRICS_COSTS: oneOf(['true', 'false']).default('false'),
  ALLOW_PRIVATE_WEBHOOKS: oneOf(['true', 'false']).default('false'),
  WEBHOOK_HOSTS: listOf(
    (value) => !value.includes('*') && URL.canParse(`https://${value}`) && new URL(`https://${value}`).host === value,
    'set it to host names in lower case, each with its port unless that is 443, comma-separated, such as chat.example.com:8443',
  ),
  EXCHANGE_RATES: z
    .string()
    .default('off')
    .transform((value, context): RateSettings => {
      const settings = parseExchangeRates(value);
      if (settings !== null) return settings;
      context.addIssue(
        'set it to off, ecb, forbidden, or an https URL of a file in the format of the European Central Bank',
      );
      return z.NEVER;
    }),
  AI_PROVIDER: oneOf(['openai_compatible', 'anthropic']).optional(),
  AI_MODEL: z.string().optional(),
  AI_API_KEY: z.string().optional(),
  AI_BASE_URL: url(['http:', 'https:'], 'https://models.example.com/v1')
    .transform((value) => value.replace(/\/+$/, ''))
    .optional(),
  AI_TIMEOUT_SECONDS: wholeNumber(1, 600, 30),
  SYNC_CRON: cron('0 */6 * * *').default('0 */6 * * *'),
  BACKUP_CRON: cron('30 1 * * *').default('off'),
  BACKUP_URL: z
    .string()
    .refine(
      (value) => ['folder', 's3'].includes(parseFactsUrl(value)?.kind ?? ''),
      'set it to an absolute path or s3://bucket/prefix',
    )
    .optional(),
  BACKUP_KEEP: wholeNumber(1, 10_000, 14),
  // Its file may have further lines, like that of --passphrase-file.
  BACKUP_PASSPHRASE: z
    .string()
    .transform((text) => text.split(/\r?\n/)[0] ?? '')
    .pipe(z.string().min(12, 'set it to at least 12 characters'))
    .optional(),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  WORKER_CONCURRENCY: wholeNumber(1, 64, 2),
  LOADER_MEMORY_MIB: wholeNumber(128, 1_048_576, 600),
  ENGINE_MEMORY_MIB: wholeNumber(64, 1_048_576, 512),
  ENGINE_THREADS: wholeNumber(1, 256, Math.min(8, availableParallelism())),
  ENGINE_TIMEOUT_SECONDS: wholeNumber(1, 600, 30),
  FACTS_URL: z
    .string()
    .refine(
      (value) => parseFactsUrl(value) !== null,
      'set it to an absolute path, s3://bucket/prefix or azure://account/container/prefix',
    )
    .transform(parseFactsUrl)
    .optional(),
  FACTS_CACHE_MIB: wholeNumber(1, 9_999_999, 10_240),
  AZURE_STORAGE_KEY: z.string().optional(),
  TLS_CERT: z.string().optional(),
  TLS_KEY: z.string().optional(),
  NODE_ENV: oneOf(['production', 'development', 'test']).default('development'),
});

/** Whether a file begins with a SHA-1 hash in hexadecimal. */
function isHashFile(file: string): boolean {
  try {
    const descriptor = fs.openSync(file, 'r');
    const start = Buffer.alloc(41);
    fs.readSync(descriptor, start);
    fs.closeSync(descriptor);
    return /^[0-9a-f]{40}[:\r\n]$/i.test(start.toString('latin1'));
  } catch {
    return false;
  }
}

/** Whether a URL has no path, query, fragment or credentials: the console and the API are served at `/`. */
function isOnlyOrigin(value: string): boolean {
  const { pathname, search, hash, username, password } = new URL(value);
  return pathname === '/' && [search, hash, username, password].every((part) => part === '') && !/[?#]/.test(value);
}

function isBlobEndpoint(value: string): boolean {
  return value.includes('{account}') && isEndpoint(value.replace('{account}', 'account'));
}

function withoutSlash(value: string): string {
  return value.replace(/\/+$/, '');
}

/** Base URL of a provider's API. */
function endpoint() {
  return z.string().refine(isEndpoint, 'set it to a URL such as https://cloud.example.com').transform(withoutSlash);
}

/** An email address, bare or in angle brackets after a name. */
function isMailbox(value: string): boolean {
  return /^(("[^"\r\n]*"|[^<>@,;\r\n]*) *<[^\s<>@]+@[^\s<>@]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/.test(value.trim());
}

function wholeNumber(min: number, max: number, fallback: number) {
  const remedy = `set it to a whole number from ${min} to ${max}`;
  return z
    .string()
    .refine((value) => /^\d{1,7}$/.test(value) && Number(value) >= min && Number(value) <= max, remedy)
    .transform(Number)
    .default(fallback);
}

function oneOf<const Value extends string>(values: readonly Value[]) {
  return z.enum(values, `set it to ${values.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`);
}

function url(protocols: readonly string[], example: string) {
  const usable = (value: string) => {
    if (!URL.canParse(value)) return false;
    const { protocol, host } = new URL(value);
    // PostgreSQL may be reached through a socket, which a parameter names.
    return protocols.includes(protocol) && (host !== '' || protocol.startsWith('postgres'));
  };
  return z.string().refine(usable, `set it to a URL such as ${example}`);
}

/** Base64 keys of 32 bytes, the current one first. */
function keys() {
  const decode = (value: string) => value.split(',').map((key) => Buffer.from(key.trim(), 'base64'));
  return z
    .string()
    .refine(
      (value) => decode(value).every((key) => key.length === 32),
      'set it to 32 bytes in base64 (openssl rand -base64 32); older keys can follow, comma-separated',
    )
    .transform(decode);
}

const PROXY_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Rejects `true`: a server that trusts every proxy lets clients choose their own address and evade their rate
 *  limit. */
function proxies() {
  const remedy = 'set it to a number of proxies, or to their addresses, such as "loopback, 10.0.0.0/8"';
  const isProxy = (part: string) => {
    const [address = '', bits = '0', ...rest] = part.split('/');
    const most = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
    return PROXY_NAMES.has(part) || (rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most);
  };
  return z
    .string()
    .refine((value) => /^\d{1,2}$/.test(value) || list(value).every(isProxy), remedy)
    .transform((value) => (/^\d+$/.test(value) ? Number(value) : list(value).join(',')))
    .default(() => 0)
    .transform((value) => (value === 0 ? (false as const) : value));
}

function cron(example: string) {
  const remedy = `set it to five cron fields in UTC, such as "${example}", or to "off"`;
  return z.string().superRefine((value, context) => {
    if (value === 'off') return;
    try {
      const beforeLeapYear = new Date('2023-12-31T23:59:00Z');
      if (nextDue(value, beforeLeapYear) === null) context.addIssue(`its day does not exist; ${remedy}`);
    } catch {
      context.addIssue(remedy);
    }
  });
}
