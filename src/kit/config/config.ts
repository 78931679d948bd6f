import fs from 'node:fs';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import type { z } from 'zod';
import type { RateSettings } from './exchange-rates.ts';
import type { FactPlace } from './facts-url.ts';
import { existingKeys, keysFromFile } from '../secrets/keys.ts';
import type { PersistedOperations } from '../persisted-operations.ts';
import { initProblems, initSettings, type InitSettings } from './init.ts';
import { readSecretFiles } from './secret-files.ts';
import { SECRET_VARIABLES, variables } from './variables.ts';

/** All operator settings, parsed and with defaults. Read once at startup. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Public base URL of the server, without a trailing slash; used in emails and WebAuthn. */
  readonly publicUrl: string;
  /** Absolute path of the folder for the embedded database, generated keys and unsent emails. */
  readonly dataDir: string;
  /** Null: use the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** The same database without the connection pooler of `databaseUrl`. Null: there is no pooler. */
  readonly databaseDirectUrl: string | null;
  /** Null: rate limits are counted in the process. */
  readonly redisUrl: string | null;
  /** Ed25519 seeds of 32 bytes (see `ed25519Key`): the first one signs, all of them verify. */
  readonly jwtKeys: readonly Uint8Array[];
  /** AES-256 keys of 32 bytes: the first one encrypts, all of them decrypt. */
  readonly encryptionKeys: readonly Uint8Array[];
  /** Null: emails are written to `outbox` in the data folder. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** Absolute path of the root folder that `focus` accounts may read from; `{organization}` in it stands for the id of their
   *  organization. Null: local paths are rejected. */
  readonly focusRoot: string | null;
  /** Maximum size of an uploaded bill file. */
  readonly uploadMaxMiB: number;
  /** Cloud endpoints; null: the provider's default. */
  readonly clouds: CloudSettings;
  /** Environment variables passed on to connector processes: proxies, certificate authorities, and the server's own
   *  AWS identity for accounts with a role. */
  readonly connectorEnvironment: Readonly<Record<string, string>>;
  /** Requests per minute: `auth` per address, the others per user. */
  readonly rateLimits: Readonly<Record<RateCategory, number>>;
  /** Password hashing cost. No variable sets it; tests lower it. */
  readonly passwordCost: PasswordCost;
  /** File of the SHA-1 hashes of breached passwords, which are rejected. Null: none. */
  readonly breachedPasswords: string | null;
  /** A session that is not used for this long ends. */
  readonly sessionIdleMs: number;
  readonly registration: 'open' | 'invite' | 'first';
  /** The organization that the first start creates. Null: none. */
  readonly init: InitSettings | null;
  /** Express's `trust proxy`: a number of hops, a list of addresses, or false. */
  readonly trustProxy: false | number | string;
  /** Allowed CORS origins besides our own. */
  readonly corsOrigins: readonly string[];
  /** The GraphQL operations allowed besides the console's. Null: any. */
  readonly persistedOperations: PersistedOperations | null;
  /** Bearer token for `/metrics`. Null: only loopback clients are allowed. */
  readonly metricsToken: string | null;
  /** Whether `/metrics` has the costs of accounts, of all organizations. */
  readonly metricsCosts: boolean;
  readonly allowPrivateWebhooks: boolean;
  /** Webhook hosts allowed besides public ones on port 443: `host` or `host:port`, lower case. */
  readonly webhookHosts: readonly string[];
  readonly exchangeRates: RateSettings;
  /** The model that phrases explanations. Null: they are built from templates. */
  readonly ai: AiSettings | null;
  /** Schedule of automatic syncs, as a five-field cron expression in UTC. Null: never. */
  readonly syncCron: string | null;
  readonly backup: BackupSettings;
  readonly logLevel: LogLevel;
  /** Maximum concurrent jobs of a process, besides its messages and syncs, and separately of its loaders. */
  readonly workerConcurrency: number;
  /** Target resident memory of a loader process; DuckDB spills to disk above its share. */
  readonly loaderMemoryMiB: number;
  /** The query engine process for facts. */
  readonly engine: EngineSettings;
  /** Location of the fact files. */
  readonly facts: FactStoreSettings;
  /** Paths of the PEM files. Null: plain HTTP, behind a proxy or on loopback. */
  readonly tls: { readonly certPath: string; readonly keyPath: string } | null;
  /** Whether NODE_ENV is `production`. */
  readonly production: boolean;
}

/** Scheduled backups, and the passphrase of all backups. */
export interface BackupSettings {
  /** Like `syncCron`. Null: none are scheduled. */
  readonly cron: string | null;
  /** Absolute path of a folder, or `s3://bucket/prefix`. */
  readonly url: string | null;
  /** Number of scheduled backups that are kept. */
  readonly keep: number;
  /** Seals the keys into backups. Null: they are left out. */
  readonly passphrase: string | null;
}

/** Argon2id parameters, with one lane. */
export interface PasswordCost {
  readonly memoryKiB: number;
  readonly passes: number;
}

/** From OWASP's Password Storage Cheat Sheet: 19 MiB and 2 passes. */
const standardPasswordCost: PasswordCost = { memoryKiB: 19_456, passes: 2 };

/** Limits of the query engine process for facts. */
export interface EngineSettings {
  /** DuckDB's memory limit; it spills to disk beyond that. */
  readonly memoryMiB: number;
  readonly threads: number;
  /** Query timeout of a request. */
  readonly timeoutMs: number;
}

/** Location of the fact files. */
export interface FactStoreSettings {
  /** Default: `facts` in the data folder. */
  readonly place: FactPlace;
  /** Maximum size of the local cache of a remote store's files. */
  readonly cacheMiB: number;
  /** Account key for Azure Blob Storage. Null: the default Azure credential. */
  readonly azureStorageKey: string | null;
}

/** A language model and its connection settings. */
export interface AiSettings {
  readonly provider: 'openai_compatible' | 'anthropic';
  readonly model: string;
  readonly apiKey: string | null;
  /** Without a trailing slash. Null: the provider's default. */
  readonly baseUrl: string | null;
  readonly timeoutMs: number;
}

/** Cloud endpoints: overridden for sovereign clouds, private endpoints and emulators. Without trailing slashes. */
export interface CloudSettings {
  /** Every AWS service except S3. */
  readonly awsEndpoint: string | null;
  readonly s3Endpoint: string | null;
  /** ARN of the server's own AWS identity, which roles trust. Null: guides show a placeholder. */
  readonly awsPrincipal: string | null;
  /** Microsoft Entra ID. */
  readonly azureLoginEndpoint: string;
  readonly azureManagementEndpoint: string;
  /** `{account}` stands for the storage account's name. */
  readonly azureBlobEndpoint: string;
  /** Replaces every `https://*.googleapis.com`. */
  readonly googleEndpoint: string | null;
  /** S3-compatible endpoints that `focus` accounts may use. */
  readonly focusEndpoints: readonly string[];
}

/** The five request categories with separate rate limits. */
export type RateCategory = 'auth' | 'read' | 'write' | 'report' | 'export';

/** Minimum log level. */
export type LogLevel = Variables['LOG_LEVEL'];

/** Environment variables, as Node provides them. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Variables = z.infer<typeof variables>;

/** An invalid configuration. The message has one line per problem and contains no secrets. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** A location in a variable cannot be used, perhaps only temporarily, so a restart may help. */
export class PlaceError extends ConfigError {}

/** Reads the configuration. Missing keys are generated once and stored in the data folder.
 *  @param missingKeys `leave`: they are not generated, and are empty
 *  @throws {ConfigError} naming each variable, its value (unless secret) and the remedy */
export function readConfig(env: Environment, missingKeys: 'generate' | 'leave' = 'generate'): Config {
  const values = parse(env);
  const readKeys = missingKeys === 'leave' ? existingKeys : keysFromFile;
  const dataDir = path.resolve(values.DATA_DIR);
  return {
    ...plainSettings(values),
    dataDir,
    jwtKeys: values.JWT_KEY ?? readKeys(dataDir, 'jwt.key'),
    encryptionKeys: values.ENCRYPTION_KEY ?? readKeys(dataDir, 'encryption.key'),
    connectorEnvironment: inheritedByConnectors(env),
  };
}

/** The variables that connectors inherit: those that SDKs read, not our own. */
function inheritedByConnectors(env: Environment): Record<string, string> {
  const isOurs = (name: string) => name === 'AWS_ENDPOINT' || name === 'AWS_PRINCIPAL';
  const isWanted = (name: string) =>
    /^(HOME|NODE_EXTRA_CA_CERTS|(https?|no)_proxy)$/i.test(name) || name.startsWith('AWS_');
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value && isWanted(name) && !isOurs(name) ? [[name, value]] : [])),
  );
}

function parse(environment: Environment): Variables {
  const { env, problems: ofFiles } = readSecretFiles(environment, SECRET_VARIABLES);
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const result = variables.safeParse(set);
  const problems = [
    ...ofFiles,
    ...(result.error?.issues ?? []).map((issue) => describe(issue, set)),
    // A secret whose file cannot be read is not missing.
    ...(result.success && ofFiles.length === 0 ? contradictions(result.data) : []),
    ...(ofFiles.length === 0 ? initProblems(set) : []),
  ];
  if (problems.length > 0 || !result.success) throw new ConfigError(problems);
  return result.data;
}

function describe(issue: z.core.$ZodIssue, env: Environment): string {
  const name = String(issue.path[0]);
  // Any address can contain a password. In a list, this may mask other addresses as well.
  const text = env[name]?.replaceAll(/\/\/\S*@/g, '//***@');
  const value = SECRET_VARIABLES.has(name) ? 'its value' : JSON.stringify(text);
  return `${name}: ${value} is invalid; ${issue.message}`;
}

const KEY_REMEDY = 'set it to the output of: openssl rand -base64 32';

/** Settings that are valid individually but conflict with each other. */
function contradictions(values: Variables): string[] {
  const problems: string[] = [];
  const shared = values.NODE_ENV === 'production' && values.DATABASE_URL !== undefined;
  // Several servers may share one DATABASE_URL: each would generate its own key and reject the others' tokens.
  for (const name of ['JWT_KEY', 'ENCRYPTION_KEY'] as const) {
    if (shared && !values[name])
      problems.push(`${name}: missing, but required in production with DATABASE_URL; ${KEY_REMEDY}`);
  }
  if (values.DATABASE_DIRECT_URL && !values.DATABASE_URL)
    problems.push('DATABASE_URL: missing, but required with DATABASE_DIRECT_URL; set it to the URL of the pooler');
  if (values.BACKUP_CRON !== 'off' && values.BACKUP_URL === undefined)
    problems.push(
      'BACKUP_URL: missing, but required with BACKUP_CRON; set it to an absolute path or s3://bucket/prefix',
    );
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
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? null,
    redisUrl: values.REDIS_URL ?? null,
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM,
    uploadMaxMiB: values.UPLOAD_MAX_MIB,
    focusRoot: values.FOCUS_ROOT ? path.resolve(values.FOCUS_ROOT) : null,
    clouds: cloudSettings(values),
    rateLimits: rateLimits(values),
    passwordCost: standardPasswordCost,
    breachedPasswords: values.BREACHED_PASSWORDS ? path.resolve(values.BREACHED_PASSWORDS) : null,
    sessionIdleMs: values.SESSION_IDLE_HOURS * 3_600_000,
    registration: values.REGISTRATION,
    init: initSettings(values),
    trustProxy: values.TRUST_PROXY,
    corsOrigins: values.CORS_ORIGINS,
    persistedOperations: values.PERSISTED_OPERATIONS ?? null,
    metricsToken: values.METRICS_TOKEN ?? null,
    metricsCosts: values.METRICS_COSTS === 'true',
    allowPrivateWebhooks: values.ALLOW_PRIVATE_WEBHOOKS === 'true',
    webhookHosts: values.WEBHOOK_HOSTS,
    exchangeRates: values.EXCHANGE_RATES,
    ai: aiSettings(values),
    syncCron: values.SYNC_CRON === 'off' ? null : values.SYNC_CRON,
    backup: backupSettings(values),
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

function backupSettings(values: Variables): BackupSettings {
  return {
    cron: values.BACKUP_CRON === 'off' ? null : values.BACKUP_CRON,
    url: values.BACKUP_URL ?? null,
    keep: values.BACKUP_KEEP,
    passphrase: values.BACKUP_PASSPHRASE ?? null,
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
