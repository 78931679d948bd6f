import { z } from 'zod';
import { fileVariable, readSecretFiles } from '../kit/config/secret-files.ts';
import { isEndpoint, listOf, origins } from '../kit/config/variable-kinds.ts';

/** All operator settings of the MCP server. */
export interface Settings {
  /** Base URL of the REST API, without a trailing slash. */
  readonly apiUrl: string;
  /** API token. Null: each request brings its own (multi-tenant). */
  readonly token: string | null;
  readonly host: string;
  readonly port: number;
  /** Allowed Host names besides this machine's own, in lower case. */
  readonly allowedHosts: readonly string[];
  /** Allowed Origins besides this machine's own. */
  readonly allowedOrigins: readonly string[];
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}

export type Transport = 'http' | 'stdio';

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Every environment variable of the MCP server. Messages say how to fix a value. */
export const variables = z.object({
  SVC_API_TOKEN: z
    .string()
    .regex(/^svc_[\w-]{1,200}$/, 'set it to a Costkeep API token, which starts with svc_')
    .optional(),
  SVC_API_URL: z
    .string()
    .refine(isEndpoint, 'set it to a URL such as https://costs.example.com/api/v1, without user, query and fragment')
    .transform(apiBase)
    .default('http://localhost:3000/api/v1'),
  MCP_MODE: z
    .enum(['single-tenant', 'multi-tenant'], 'set it to single-tenant or multi-tenant')
    .default('single-tenant'),
  MCP_HOST: z.string().default('127.0.0.1'),
  PORT: z
    .string()
    .refine((value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535, 'set it to a whole number from 0 to 65535')
    .transform(Number)
    .default(3005),
  MCP_ALLOWED_HOSTS: listOf(
    (value) => /^([\w.-]+|\[[\da-f:.]+\])$/i.test(value),
    'set it to comma-separated host names without ports, such as mcp.example.com,10.0.0.5',
  ),
  MCP_ALLOWED_ORIGINS: origins(),
  LOG_LEVEL: z.enum(levels, `set it to ${levels.slice(0, -1).join(', ')} or ${levels.at(-1)}`).default('info'),
});

/** Variables that can be given as a file. */
export const MCP_SECRETS: readonly string[] = ['SVC_API_TOKEN'];

/** Reads the settings from the environment.
 *  @throws {Error} with a line for each invalid variable and its remedy; values are not shown */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  transport: Transport,
): Settings {
  const { env, problems: ofFiles } = readSecretFiles(environment, MCP_SECRETS);
  const set = Object.entries(env).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : []));
  const read = variables.safeParse(Object.fromEntries(set));
  const problems = [
    ...ofFiles,
    ...unknownNames(env),
    ...(read.error?.issues ?? []).map((issue) => `${issue.path[0] as string}: ${issue.message}`),
  ];
  const wanted = read.success ? read.data : null;
  // A token whose file cannot be read is not missing.
  if (wanted && ofFiles.length === 0) problems.push(...modeProblems(wanted, transport));
  if (problems.length > 0 || !wanted) throw new Error(problems.join('\n'));
  return {
    apiUrl: wanted.SVC_API_URL,
    token: wanted.MCP_MODE === 'multi-tenant' ? null : (wanted.SVC_API_TOKEN ?? null),
    host: wanted.MCP_HOST,
    port: wanted.PORT,
    allowedHosts: wanted.MCP_ALLOWED_HOSTS.map((name) => name.toLowerCase()),
    allowedOrigins: wanted.MCP_ALLOWED_ORIGINS,
    logLevel: wanted.LOG_LEVEL,
  };
}

function modeProblems(
  { MCP_MODE: mode, SVC_API_TOKEN: token }: z.output<typeof variables>,
  transport: Transport,
): string[] {
  if (mode === 'multi-tenant' && transport === 'stdio')
    return ['MCP_MODE: stdio serves one user only; unset it, or omit --stdio to serve several users over HTTP'];
  if (mode === 'multi-tenant' && token !== undefined)
    return ['SVC_API_TOKEN: in multi-tenant mode each request has its own token; unset SVC_API_TOKEN or MCP_MODE'];
  if (mode === 'single-tenant' && token === undefined)
    return [
      'SVC_API_TOKEN: set it to a Costkeep API token (svc_…), created by POST /api/v1/auth/tokens; or set MCP_MODE=multi-tenant',
    ];
  return [];
}

/** The problems of unknown variables: with a misspelled name, the default would silently be used. */
function unknownNames(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.keys(variables.shape);
  const unknown = Object.keys(env).filter(
    (name) =>
      /^(MCP_(MODE|HOST|ALLOWED|PORT|TOKEN|ORIGIN)|SVC_API_)/.test(name) &&
      !known.includes(name) &&
      !MCP_SECRETS.some((secret) => fileVariable(secret) === name),
  );
  return unknown.map((name) => `${name}: unknown variable; use ${known.join(', ')}`);
}

/** A URL without a path refers to that server's API. */
function apiBase(value: string): string {
  const { origin, pathname } = new URL(value);
  return origin + (pathname === '/' ? '/api/v1' : pathname.replace(/\/+$/, ''));
}
