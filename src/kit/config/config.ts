import fs from 'node:fs';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import type { z } from 'zod';
import type { FactPlace } from './facts-url.ts';
import { keyFromFile } from '../secrets/keys.ts';
import type { PersistedOperations } from '../persisted-operations.ts';
import { SECRET_VARIABLES, variables } from './variables.ts';

/** Everything an operator can set, parsed and defaulted. Read once, at start. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Where browsers reach the server, without a trailing slash; used in mails and WebAuthn. */
  readonly publicUrl: string;
  /** Absolute folder of the embedded database, generated keys and unsent mails. */
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** Null: limits are counted in the process. */
  readonly redisUrl: string | null;
  /** Ed25519 seeds of 32 bytes (see `ed25519Key`): the first one signs, all of them verify. */
  readonly jwtKeys: readonly Uint8Array[];
  /** AES-256 keys of 32 bytes: the first one encrypts, all of them decrypt. */
  readonly encryptionKeys: readonly Uint8Array[];
  /** Null: mails are written to `outbox` in the data folder. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** Absolute folder under which `focus` accounts may read. Null: local paths are refused. */
  readonly focusRoot: string | null;
  /** Where the clouds are reached; null: where the provider says. */
  readonly clouds: CloudSettings;
  /** What the processes that speak to clouds inherit of the environment: proxies, certificate authorities, and the server's
   *  own AWS identity, for accounts with a role. */
  readonly connectorEnvironment: Readonly<Record<string, string>>;
  /** Requests per minute: `auth` by address, the others by user. */
  readonly rateLimits: Readonly<Record<RateCategory, number>>;
  /** Cost of hashing a password. No variable sets it; tests lower it. */
  readonly passwordCost: PasswordCost;
  readonly registration: 'open' | 'invite' | 'first';
  /** Express's `trust proxy`: a number of hops, a list of addresses, or false. */
  readonly trustProxy: false | number | string;
  /** Origins that browsers may call from, beside our own. */
  readonly corsOrigins: readonly string[];
  /** The only GraphQL operations that run, beside those of the console. Null: any. */
  readonly persistedOperations: PersistedOperations | null;
  /** Bearer token of `/metrics`. Null: loopback callers only. */
  readonly metricsToken: string | null;
  readonly allowPrivateWebhooks: boolean;
  /** Hosts that webhooks may name beside public ones at port 443: `host` or `host:port`, lower case. */
  readonly webhookHosts: readonly string[];
  /** The model that puts explanations into words. Null: they are composed by rules. */
  readonly ai: AiSettings | null;
  /** When automatic syncs start, as a five-field cron line in UTC. Null: never. */
  readonly syncCron: string | null;
  readonly logLevel: LogLevel;
  /** Jobs that one process runs at a time, and loading processes beside them; syncs that wait for their clouds do not count. */
  readonly workerConcurrency: number;
  /** Memory limit of DuckDB while it reads a bill; it spills to disk beyond. */
  readonly loaderMemoryMiB: number;
  /** The process that answers questions to the facts. */
  readonly engine: EngineSettings;
  /** Where fact files are kept. */
  readonly facts: FactStoreSettings;
  /** Paths of the PEM files. Null: plain HTTP, behind a proxy or on loopback. */
  readonly tls: { readonly certPath: string; readonly keyPath: string } | null;
  /** NODE_ENV is `production`. */
  readonly production: boolean;
}

/** Parameters of Argon2id, with one lane. */
export interface PasswordCost {
  readonly memoryKiB: number;
  readonly passes: number;
}

/** From OWASP's Password Storage Cheat Sheet: 19 MiB and 2 passes. */
const standardPasswordCost: PasswordCost = { memoryKiB: 19_456, passes: 2 };

/** Limits of the process that answers questions to the facts. */
export interface EngineSettings {
  /** Memory limit of DuckDB; it spills to disk beyond. */
  readonly memoryMiB: number;
  readonly threads: number;
  /** How long a request's query may run. */
  readonly timeoutMs: number;
}

/** Where fact files are kept. */
export interface FactStoreSettings {
  /** By default `facts` in the data folder. */
  readonly place: FactPlace;
  /** Limit of the local copies of a remote store's files. */
  readonly cacheMiB: number;
  /** Account key of Blob storage. Null: the default Azure credential. */
  readonly azureStorageKey: string | null;
}

/** A language model and how to reach it. */
export interface AiSettings {
  readonly provider: 'openai_compatible' | 'anthropic';
  readonly model: string;
  readonly apiKey: string | null;
  /** Without a slash at its end. Null: the provider's own. */
  readonly baseUrl: string | null;
  readonly timeoutMs: number;
}

/** Where the clouds are reached: other addresses than the providers' own are for sovereign clouds, private endpoints and
 *  emulators. Without a slash at their ends. */
export interface CloudSettings {
  /** Every AWS service but S3. */
  readonly awsEndpoint: string | null;
  readonly s3Endpoint: string | null;
  /** ARN that the server's own AWS identity has: roles trust it. Null: guides show a placeholder. */
  readonly awsPrincipal: string | null;
  /** Microsoft Entra ID. */
  readonly azureLoginEndpoint: string;
  readonly azureManagementEndpoint: string;
  /** With `{account}` where the storage account's name goes. */
  readonly azureBlobEndpoint: string;
  /** In place of each `https://*.googleapis.com`. */
  readonly googleEndpoint: string | null;
  /** S3-compatible stores that `focus` accounts may name. */
  readonly focusEndpoints: readonly string[];
}

/** The five kinds of request that are limited apart. */
export type RateCategory = 'auth' | 'read' | 'write' | 'report' | 'export';

/** Lowest level that is logged. */
export type LogLevel = Variables['LOG_LEVEL'];

/** The environment as Node gives it. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Variables = z.infer<typeof variables>;

/** A configuration that cannot be used. The message has one line for every problem, none of which tells a secret. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads the configuration. Keys that are absent are generated into the data folder, once.
 *  @throws {ConfigError} naming each variable, its value (unless secret) and the remedy */
export function readConfig(env: Environment): Config {
  const values = parse(env);
  const dataDir = path.resolve(values.DATA_DIR);
  return {
    ...plainSettings(values),
    dataDir,
    jwtKeys: values.JWT_KEY ?? [keyFromFile(dataDir, 'jwt.key')],
    encryptionKeys: values.ENCRYPTION_KEY ?? [keyFromFile(dataDir, 'encryption.key')],
    connectorEnvironment: inheritedByConnectors(env),
  };
}

/** By the names that SDKs know, not ours. */
function inheritedByConnectors(env: Environment): Record<string, string> {
  const isOurs = (name: string) => name === 'AWS_ENDPOINT' || name === 'AWS_PRINCIPAL';
  const isWanted = (name: string) =>
    /^(HOME|NODE_EXTRA_CA_CERTS|(https?|no)_proxy)$/i.test(name) || name.startsWith('AWS_');
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value && isWanted(name) && !isOurs(name) ? [[name, value]] : [])),
  );
}

function parse(env: Environment): Variables {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const result = variables.safeParse(set);
  if (!result.success) throw new ConfigError(result.error.issues.map((issue) => describe(issue, set)));
  const problems = contradictions(result.data);
  if (problems.length > 0) throw new ConfigError(problems);
  return result.data;
}

function describe(issue: z.core.$ZodIssue, env: Environment): string {
  const name = String(issue.path[0]);
  const value = SECRET_VARIABLES.has(name) ? 'its value' : JSON.stringify(env[name]);
  return `${name}: ${value} is invalid; ${issue.message}`;
}

const KEY_REMEDY = 'set it to the output of: openssl rand -base64 32';

/** Settings that are fine alone but not together. */
function contradictions(values: Variables): string[] {
  const problems: string[] = [];
  const shared = values.NODE_ENV === 'production' && values.DATABASE_URL !== undefined;
  // Several servers may share one DATABASE_URL: each would generate a key of its own, and refuse the others' tokens.
  for (const name of ['JWT_KEY', 'ENCRYPTION_KEY'] as const) {
    if (shared && !values[name])
      problems.push(`${name}: missing, but required in production with DATABASE_URL; ${KEY_REMEDY}`);
  }
  if (!values.TLS_CERT !== !values.TLS_KEY) {
    const absent = values.TLS_CERT ? 'TLS_KEY' : 'TLS_CERT';
    problems.push(`${absent}: missing; set both TLS_CERT and TLS_KEY, or neither`);
  }
  return [...problems, ...aiProblems(values), ...tlsProblems(values)];
}

function aiProblems({ AI_PROVIDER, AI_MODEL, AI_API_KEY, AI_BASE_URL }: Variables): string[] {
  if (AI_PROVIDER === undefined) {
    return AI_MODEL || AI_API_KEY || AI_BASE_URL
      ? ['AI_PROVIDER: missing, although other AI_ variables are set; set it to openai_compatible or anthropic']
      : [];
  }
  const problems = AI_MODEL
    ? []
    : ['AI_MODEL: missing, but required with AI_PROVIDER; set it to the name of the model'];
  if (AI_PROVIDER === 'openai_compatible' && !AI_BASE_URL)
    problems.push(
      'AI_BASE_URL: missing, but required with AI_PROVIDER=openai_compatible; set it to the base URL of /chat/completions',
    );
  if (AI_PROVIDER === 'anthropic' && !AI_API_KEY)
    problems.push('AI_API_KEY: missing, but required with AI_PROVIDER=anthropic; set it to an API key');
  return problems;
}

function aiSettings(values: Variables): AiSettings | null {
  const { AI_PROVIDER: provider, AI_MODEL: model } = values;
  if (provider === undefined || model === undefined) return null;
  const timeoutMs = values.AI_TIMEOUT_SECONDS * 1000;
  return { provider, model, apiKey: values.AI_API_KEY ?? null, baseUrl: values.AI_BASE_URL ?? null, timeoutMs };
}

function tlsProblems({ TLS_CERT, TLS_KEY }: Variables): string[] {
  if (!TLS_CERT || !TLS_KEY) return [];
  try {
    createSecureContext({ cert: fs.readFileSync(TLS_CERT), key: fs.readFileSync(TLS_KEY) });
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [`TLS_CERT, TLS_KEY: cannot be used (${reason}); set them to the PEM files of a certificate and its key`];
  }
}

function plainSettings(
  values: Variables,
): Omit<Config, 'dataDir' | 'jwtKeys' | 'encryptionKeys' | 'connectorEnvironment'> {
  const { PORT: port, HOST: host, TLS_CERT: certPath, TLS_KEY: keyPath } = values;
  const tls = certPath && keyPath ? { certPath, keyPath } : null;
  return {
    port,
    host,
    publicUrl: values.PUBLIC_URL ?? `${tls ? 'https' : 'http'}://localhost:${port}`,
    databaseUrl: values.DATABASE_URL ?? null,
    redisUrl: values.REDIS_URL ?? null,
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM,
    focusRoot: values.FOCUS_ROOT ? path.resolve(values.FOCUS_ROOT) : null,
    clouds: cloudSettings(values),
    rateLimits: rateLimits(values),
    passwordCost: standardPasswordCost,
    registration: values.REGISTRATION,
    trustProxy: values.TRUST_PROXY,
    corsOrigins: values.CORS_ORIGINS,
    persistedOperations: values.PERSISTED_OPERATIONS ?? null,
    metricsToken: values.METRICS_TOKEN ?? null,
    allowPrivateWebhooks: values.ALLOW_PRIVATE_WEBHOOKS === 'true',
    webhookHosts: values.WEBHOOK_HOSTS,
    ai: aiSettings(values),
    syncCron: values.SYNC_CRON === 'off' ? null : values.SYNC_CRON,
    logLevel: values.LOG_LEVEL,
    workerConcurrency: values.WORKER_CONCURRENCY,
    loaderMemoryMiB: values.LOADER_MEMORY_MIB,
    engine: {
      memoryMiB: values.ENGINE_MEMORY_MIB,
      threads: values.ENGINE_THREADS,
      timeoutMs: values.ENGINE_TIMEOUT_SECONDS * 1000,
    },
    facts: {
      place: values.FACTS_URL ?? { kind: 'folder', folder: path.resolve(values.DATA_DIR, 'facts') },
      cacheMiB: values.FACTS_CACHE_MIB,
      azureStorageKey: values.AZURE_STORAGE_KEY ?? null,
    },
    tls,
    production: values.NODE_ENV === 'production',
  };
}

function cloudSettings(values: Variables): CloudSettings {
  return {
    awsEndpoint: values.AWS_ENDPOINT ?? null,
    s3Endpoint: values.S3_ENDPOINT ?? null,
    awsPrincipal: values.AWS_PRINCIPAL ?? null,
    azureLoginEndpoint: values.AZURE_LOGIN_ENDPOINT,
    azureManagementEndpoint: values.AZURE_MANAGEMENT_ENDPOINT,
    azureBlobEndpoint: values.AZURE_BLOB_ENDPOINT,
    googleEndpoint: values.GOOGLE_ENDPOINT ?? null,
    focusEndpoints: values.FOCUS_ENDPOINTS,
  };
}

function rateLimits(values: Variables): Config['rateLimits'] {
  return {
    auth: values.RATE_LIMIT_AUTH,
    read: values.RATE_LIMIT_READ,
    write: values.RATE_LIMIT_WRITE,
    report: values.RATE_LIMIT_REPORT,
    export: values.RATE_LIMIT_EXPORT,
  };
}
