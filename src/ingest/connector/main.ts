import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { ProcessRequest } from '../../kit/process/asked-process.ts';
import { keepCompiledCode } from '../../kit/process/code-cache.ts';
import { openSecrets, type Secrets } from '../../kit/secrets/crypto.ts';
import { AppError, fix, message, operation } from '../../kit/errors/errors.ts';
import type { Connection } from '../../providers/contract.ts';
import { TryLater } from '../../providers/faults.ts';
import { openConnection } from '../../providers/open.ts';
import type { ConnectionSpec } from '../../providers/spec.ts';
import type { ConnectorCommands, ConnectorMessage, SpecSource } from './protocol.ts';

/** The connector process: the only one that holds an account's credentials, and only during its sync. It calls the cloud and
 *  writes to the sync's folder; it has no database. It writes nothing to stdout or stderr, because SDK output may contain a
 *  header with a secret. */
let connection: Connection | null = null;
const stopping = new AbortController();
let transfers = new AbortController();

/** Maximum resident memory in bytes. SDKs collect responses outside of the heap, which Node's own limit does not cover. */
const maxMemoryBytes = 2 ** 30;
const memoryCheckMs = 100;
setInterval(() => {
  if (process.memoryUsage.rss() > maxMemoryBytes) process.abort();
}, memoryCheckMs).unref();

type Handlers = {
  [C in keyof ConnectorCommands]: (args: ConnectorCommands[C]['args']) => Promise<ConnectorCommands[C]['result']>;
};

function opened(): Connection {
  if (!connection) throw new Error('the connector has not been opened');
  return connection;
}

const handlers: Handlers = {
  async open({ source, endpoints, identity }) {
    const { spec, resealed } = unsealSpec(source);
    if ('roleArn' in spec.credentials) takeIdentity(identity);
    connection = await openConnection(spec, endpoints);
    keepCompiledCode();
    return { resealed };
  },
  check: () => opened().check(stopping.signal),
  list: ({ memo }) => opened().costs.list(memo, stopping.signal),
  fetch: ({ file, folder }) => opened().costs.fetch(file, folder, transfers.signal),
  async abandon() {
    transfers.abort();
    transfers = new AbortController();
    return null;
  },
  async inventory({ folder }) {
    const { inventory } = opened();
    if (!inventory) return null;
    const path = join(folder, 'inventory.jsonl');
    const out = createWriteStream(path, { mode: 0o600 });
    let items = 0;
    const end = await inventory.list(async (page, list) => {
      items += page.length;
      const text = page.map((item) => `${JSON.stringify({ ...item, namedBy: list })}\n`).join('');
      if (!out.write(text)) await once(out, 'drain');
    }, stopping.signal);
    out.end();
    await finished(out);
    return { ...end, path, items };
  },
};

/** Makes the server's own identity available: the SDK looks for it in the environment, the home folder and the machine's
 *  metadata service. */
function takeIdentity(identity: Readonly<Record<string, string>>): void {
  // oxlint-disable-next-line node/no-process-env
  const { env } = process;
  delete env['AWS_EC2_METADATA_DISABLED'];
  Object.assign(env, identity);
}

function send(answered: ConnectorMessage): void {
  if (process.connected) process.send?.(answered);
}

async function answer({ id, command, args }: ProcessRequest<ConnectorCommands>): Promise<void> {
  try {
    const handler = handlers[command] as (args: unknown) => Promise<unknown>;
    send({ id, result: await handler(args) });
  } catch (error) {
    if (error instanceof AppError) send({ id, refused: error.statement });
    else if (error instanceof TryLater) send({ id, later: error.message, retryAfterMs: error.retryAfterMs });
    else send({ id, ...describe(error) });
  }
}

/** Returns the kind of an error, and the stack frames of our code and of packages. */
function describe(error: unknown): { failed: string; where: string } {
  if (!(error instanceof Error)) return { failed: typeof error, where: '' };
  const code = 'code' in error && /^[A-Z][A-Z0-9_]{2,40}$/.test(String(error.code)) ? ` ${String(error.code)}` : '';
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at [^"'{}]*$/.test(line));
  return { failed: `${error.name}${code}`, where: frames.slice(0, 8).join('\n') };
}

process.on('message', (request: ProcessRequest<ConnectorCommands>) => void answer(request));
// If the server is gone, end the process and with it the credentials.
process.on('disconnect', () => process.exit(0));
// Node would print the error with its message. The parent only learns that the process ended.
process.on('uncaughtException', () => process.exit(1));

/** Decrypts the connection spec, in the process that uses it.
 *  @returns also the re-encrypted credentials, if they were encrypted with an old key
 *  @throws {AppError} VALIDATION_ERROR when no key decrypts them */
function unsealSpec(source: SpecSource): { spec: ConnectionSpec; resealed: Uint8Array | null } {
  if ('plain' in source) return { spec: source.plain, resealed: null };
  const { provider, settings, trustExternalId, sealed, rowId, keys } = source;
  const secrets = openSecrets(keys);
  const text = decrypt(secrets, sealed, rowId);
  // Both were validated strictly when the account was connected.
  const spec = { provider, settings, trustExternalId, credentials: JSON.parse(text) } as ConnectionSpec;
  return { spec, resealed: secrets.isCurrent(sealed) ? null : secrets.encrypt(text, rowId) };
}

function decrypt(secrets: Secrets, sealed: Uint8Array, rowId: string): string {
  try {
    return secrets.decrypt(sealed, rowId);
  } catch (cause) {
    throw new AppError(
      'VALIDATION_ERROR',
      message`The stored credentials cannot be decrypted with the keys of this server${fix}send them again with ${operation('PATCH /accounts/{id}')}, or have the operator add the old key to ENCRYPTION_KEY`,
      { cause },
    );
  }
}
