import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { BlobServiceClient, StorageSharedKeyCredential, type ContainerClient } from '@azure/storage-blob';
import { serverCertPath, serverKeyPath, trustTestCa } from './certificates.ts';

/** Blob Storage on loopback: over TLS, with bearer tokens, in memory. */
export interface Azurite {
  readonly account: string;
  /** In the format of AZURE_BLOB_ENDPOINT. */
  readonly endpoint: string;
  /** A container that the test writes to with the account key; created if needed. */
  container(name: string): Promise<ContainerClient>;
  /** The requests since the last call, as `GET /account/container?restype=…`, including writes of the test: call it
   *  once after setup to clear them. */
  requests(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Starts it on a free port; from then on the process trusts its certificate. */
export async function startAzurite(account = 'devaccount'): Promise<Azurite> {
  trustTestCa();
  const key = Buffer.alloc(32, 7).toString('base64');
  const program = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js');
  const child = spawn(process.execPath, [program, ...flags()], {
    env: { AZURITE_ACCOUNTS: `${account}:${key}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const log: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`azurite ended with ${code}`)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      log.push(text);
      const found = /listens on (https:\/\/\S+)/.exec(log.join(''));
      if (found?.[1]) resolve(found[1]);
    });
  });
  const service = new BlobServiceClient(`${url}/${account}`, new StorageSharedKeyCredential(account, key));
  return {
    account,
    endpoint: `${url}/{account}`,
    async container(name) {
      const client = service.getContainerClient(name);
      await client.createIfNotExists();
      return client;
    },
    async requests() {
      // Its log comes through a pipe, so everything before the mark is complete.
      const mark = `/end-of-log-${randomUUID()}`;
      await fetch(url + mark);
      while (!log.join('').includes(mark)) await once(child.stdout, 'data');
      const lines = log.splice(0).join('').split('\n');
      const asked = lines.flatMap((line) => /"([A-Z]+ \S+) HTTP/.exec(line)?.[1] ?? []);
      return asked.filter((request) => !request.includes('/end-of-log-'));
    },
    async stop() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

function flags(): string[] {
  const place = ['--blobHost', '127.0.0.1', '--blobPort', '0', '--inMemoryPersistence'];
  const tls = ['--oauth', 'basic', '--cert', serverCertPath, '--key', serverKeyPath];
  return [...place, ...tls, '--disableTelemetry', '--skipApiVersionCheck'];
}

/** Copies a complete folder into a container. */
export async function uploadFolder(container: ContainerClient, folder: string, prefix = ''): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const key = prefix + path.relative(folder, file).split(path.sep).join('/');
    await container.getBlockBlobClient(key).uploadData(await readFile(file));
  }
}
