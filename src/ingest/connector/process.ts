import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { codeCacheOf } from '../../kit/process/code-cache.ts';
import type { Config } from '../../kit/config/config.ts';
import { AppError, fix, invalid } from '../../kit/errors/errors.ts';
import type { AccessCheck } from '../../providers/contract.ts';
import { TryLater } from '../../providers/faults.ts';
import type { ConnectionSpec } from '../../providers/spec.ts';
import { AskedProcess, ProcessEnded } from '../../kit/process/asked-process.ts';
import type { ConnectorCommand, ConnectorCommands, ConnectorMessage, SpecSource } from './protocol.ts';

/** Configuration of a connector. */
export type ConnectorConfig = Pick<Config, 'clouds' | 'connectorEnvironment' | 'dataDir'>;

/** The process that calls an account's cloud. */
export interface Connector {
  /** Operating system id of the process. */
  readonly pid: number | undefined;
  /** Stored credentials re-encrypted with the current key, to replace ones encrypted with an old key; null: current. */
  readonly resealed: Uint8Array | null;
  /** Sends a command; several may run concurrently.
   *  @throws {AppError} VALIDATION_ERROR: a problem that the account's owner must fix
   *  @throws {TryLater} a temporary problem
   *  @throws {Error} a failure of the process itself, or the reason of the signal */
  ask<C extends ConnectorCommand>(
    command: C,
    args: ConnectorCommands[C]['args'],
  ): Promise<ConnectorCommands[C]['result']>;
  /** Ends the process, and with it the credentials. */
  stop(): Promise<void>;
}

/** Starts a connector for an account.
 *  @param signal kills the process on abort
 *  @throws {AppError} VALIDATION_ERROR when credentials or settings are invalid */
export async function openConnector(
  source: SpecSource,
  { config, signal }: { config: ConnectorConfig; signal: AbortSignal },
): Promise<Connector> {
  signal.throwIfAborted();
  const link = new AskedProcess<ConnectorCommands, ConnectorMessage>(start(config), {
    name: 'the connector process',
    signal,
    fault: faultOf,
  });
  try {
    const identity = identityOf(source, config.connectorEnvironment);
    const { resealed } = await link.ask('open', { source, endpoints: config.clouds, identity });
    return {
      pid: link.pid,
      resealed,
      ask: (command, args) => link.ask(command, args).catch(explainEnd),
      stop: () => link.stop(),
    };
  } catch (error) {
    await link.stop();
    throw error;
  }
}

/** @throws {AppError} VALIDATION_ERROR when the process ended at its memory limit; otherwise the error itself */
function explainEnd(error: unknown): never {
  if (error instanceof ProcessEnded && error.killer === 'SIGABRT')
    throw invalid`The responses of the provider need more memory than a sync may use${fix}connect a smaller scope, such as fewer subscriptions or projects, or a longer prefix; if the server reaches the provider through a custom endpoint or proxy, ask its operator to check that`;
  throw error;
}

/** Checks whether an account's bills can be read with the given credentials and settings.
 *  @param signal ends the check; its reason is thrown
 *  @throws {AppError} VALIDATION_ERROR naming the field, permission, bucket, container, dataset or table that is wrong
 *  @throws {TryLater} when the provider cannot be reached */
export async function checkAccess(
  config: ConnectorConfig,
  spec: ConnectionSpec,
  signal: AbortSignal,
): Promise<AccessCheck> {
  const connector = await openConnector({ plain: spec }, { config, signal });
  try {
    return await connector.ask('check', null);
  } finally {
    await connector.stop();
  }
}

const isIdentity = (name: string) => name.startsWith('AWS_') || name === 'HOME';

/** Returns the server's own AWS identity, for accounts that may assume a role with it. */
function identityOf(source: SpecSource, environment: ConnectorConfig['connectorEnvironment']): Record<string, string> {
  const provider = 'plain' in source ? source.plain.provider : source.provider;
  if (provider !== 'aws' && provider !== 'focus') return {};
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isIdentity(name)));
}

/** Disables the machine's metadata services and key files: an account with keys must not fall back to the machine's
 *  identity. */
const withoutIdentity = {
  HOME: '/nonexistent',
  AWS_EC2_METADATA_DISABLED: 'true',
  METADATA_SERVER_DETECTION: 'none',
};

function start({ connectorEnvironment, dataDir }: ConnectorConfig): ChildProcess {
  const inherited = Object.fromEntries(Object.entries(connectorEnvironment).filter(([name]) => !isIdentity(name)));
  const args = [
    '--max-old-space-size=384',
    '--disable-warning=ExperimentalWarning',
    // Neither a debugger nor a diagnostic report may read its memory.
    '--disable-sigusr1',
    '--use-env-proxy',
    fileURLToPath(new URL('./main.ts', import.meta.url)),
  ];
  // A crash must leave no core dump: it would contain the credentials.
  return spawn('/bin/sh', ['-c', 'ulimit -c 0; exec "$0" "$@"', process.execPath, ...args], {
    env: { ...withoutIdentity, ...inherited, ...codeCacheOf(dataDir), TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function faultOf(message: Exclude<ConnectorMessage, { result: unknown }>): Error {
  if ('refused' in message) return new AppError('VALIDATION_ERROR', message.refused);
  if ('later' in message) return new TryLater(message.later, { retryAfterMs: message.retryAfterMs });
  const error = new Error(`connector process: ${message.failed}`);
  // The remote stack: this process's own is of no use.
  error.stack = `${error.name}: ${error.message}\n${message.where}`;
  return error;
}
