import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { archiveFormat, type Header } from '../../../src/operation/backup/archive/format.ts';
import { entriesOf, verify } from '../../../src/operation/backup/archive/reader.ts';
import { keyIds, sealKeys, unsealKeys } from '../../../src/operation/backup/archive/seal.ts';
import { ArchiveWriter } from '../../../src/operation/backup/archive/writer.ts';
import { fileFolder } from '../../../src/operation/backup/places/file.ts';
import type { Sink } from '../../../src/operation/backup/places/folder.ts';
import { aFolder, passphrase } from './world.ts';

const header: Header = {
  format: archiveFormat,
  costkeep: '9.8.7',
  postgres: '18.4',
  createdAt: '2026-11-27T01:30:00.000Z',
  migrations: [{ name: '1_init', checksum: 'c' }],
  keyIds: { jwt: ['a'], encryption: ['b'] },
  keys: null,
};
const noRows = { name: 'jobs', columns: [], rows: 0, sha256: '', parts: 0 };
const manifest = { tables: [{ ...noRows, name: 't' }], jobs: noRows, sequences: [], files: 1 };
const longName = `facts/${'a'.repeat(36)}/2026-05/${'b'.repeat(90)}.parquet`;

async function write(sink: Sink, head: Header = header): Promise<void> {
  const archive = new ArchiveWriter(sink, head);
  await archive.addHeader(head);
  await archive.add('tables/t/000001.copy.zst', Buffer.from('rows'));
  await archive.add(longName, Buffer.alloc(200_000, 'facts'));
  await archive.finish(manifest);
}

async function bytesOf(head?: Header): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const sink = {
    write: async (chunk: Buffer) => void chunks.push(Buffer.from(chunk)),
    commit: async () => {},
    abort: async () => {},
  };
  await write(sink, head);
  return Buffer.concat(chunks);
}

const check = (bytes: Buffer) => verify(Readable.from(chunked(bytes)));

function* chunked(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007);
}

let bytes: Buffer;
beforeAll(async () => {
  bytes = await bytesOf();
});

describe('verify', () => {
  it('accepts a complete archive', async () => {
    const { header: found, manifest: listed } = await check(bytes);
    expect(found).toEqual(header);
    expect(listed.entries.map(({ name }) => name)).toEqual(['backup.json', 'tables/t/000001.copy.zst', longName]);
  });

  it('rejects a file that is truncated anywhere', async () => {
    // The last entry has 65 bytes of content in a block of 512; two blocks of zeros follow.
    const last = bytes.length - 1_024 - 512 + 64;
    const cut = fc.integer({ min: 0, max: last });
    await fc.assert(
      fc.asyncProperty(cut, async (length) => {
        await expect(check(bytes.subarray(0, length))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      }),
      { numRuns: 60, examples: [[0], [1], [511], [512], [513], [last]] },
    );
  });

  it('reports a lost connection, not damage', async () => {
    const server = createServer((_request, response) => {
      response.setHeader('content-length', bytes.length);
      response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const [response] = (await once(get({ port: (server.address() as AddressInfo).port }), 'response')) as [Readable];
    await expect(verify(response)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(/cannot be read completely: .*; check the connection or the disk/),
    });
  });

  it('rejects a changed byte, unless it is outside of all content', async () => {
    const contents = async (of: Buffer) => {
      const found: [string, string][] = [];
      for await (const { name, content } of entriesOf(Readable.from([of]))) {
        const chunks: Buffer[] = [];
        for await (const chunk of content) chunks.push(chunk);
        found.push([name, Buffer.concat(chunks).toString('hex')]);
      }
      return found;
    };
    const original = await contents(bytes);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: bytes.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, flip) => {
          const changed = Buffer.from(bytes);
          changed[at] = (changed[at] ?? 0) ^ flip;
          const error: unknown = await check(changed).then(
            () => null,
            (reason: unknown) => reason,
          );
          if (error === null) expect(await contents(changed)).toEqual(original);
          else expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
        },
      ),
      { numRuns: 150 },
    );
  });

  it('names the entry that was changed', async () => {
    const changed = Buffer.from(bytes);
    changed[bytes.indexOf('factsfactsfacts') + 5] = 0;
    await expect(check(changed)).rejects.toThrow(
      `The backup is damaged: "${longName}" was changed; copy it again, or use another backup`,
    );
  });

  it('rejects a newer format with the version to use', async () => {
    await expect(check(await bytesOf({ ...header, format: archiveFormat + 1 }))).rejects.toThrow(
      'The backup was made by Costkeep 9.8.7, which is newer and writes another format; restore it with that version or a newer one',
    );
  });

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['text', Buffer.from('hello '.repeat(500))],
    ['zeros', Buffer.alloc(5_000)],
  ])('rejects %s', async (_name, content) => {
    await expect(check(content)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('keys', () => {
  const keys = { jwt: ['a2V5'], encryption: ['bmV3', 'b2xk'] };

  it('are sealed with a passphrase', async () => {
    const sealed = await sealKeys(keys, passphrase);
    expect(JSON.stringify(sealed)).not.toContain('a2V5');
    expect(await unsealKeys(sealed, passphrase)).toEqual(keys);
    await expect(unsealKeys(sealed, `${passphrase} `)).rejects.toThrow(
      'The passphrase does not decrypt the keys in this backup; give the passphrase that the backup was made with',
    );
  });

  it('have ids that differ', () => {
    expect(new Set(keyIds(keys.encryption)).size).toBe(2);
  });
});

describe('a backup file', () => {
  it('never replaces another one', async () => {
    const folder = aFolder();
    writeFileSync(path.join(folder, 'b.tar'), 'mine');
    await expect(fileFolder(folder).create('b.tar')).rejects.toThrow(
      /b\.tar already exists; choose another name, or delete it/,
    );
    const sink = await fileFolder(folder).create('c.tar');
    await write(sink);
    writeFileSync(path.join(folder, 'c.tar'), 'appeared meanwhile');
    await expect(sink.commit()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(readdirSync(folder).toSorted()).toEqual(['b.tar', 'c.tar']);
    expect(readFileSync(path.join(folder, 'c.tar'), 'utf8')).toBe('appeared meanwhile');
  });

  it('needs an existing folder', async () => {
    await expect(fileFolder(path.join(aFolder(), 'absent')).create('b.tar')).rejects.toThrow(
      /b\.tar cannot be written: the folder .*absent does not exist; choose a folder with enough space/,
    );
  });

  it('lists only backups that were named by their time, oldest first', async () => {
    const folder = aFolder();
    for (const name of ['costkeep-20261127T013000Z.tar', 'costkeep-20251127T013000Z.tar', 'mine.tar', 'costkeep-x.tar'])
      writeFileSync(path.join(folder, name), '12');
    mkdirSync(path.join(folder, 'sub'));
    expect(await fileFolder(folder).list()).toEqual([
      { name: 'costkeep-20251127T013000Z.tar', bytes: 2 },
      { name: 'costkeep-20261127T013000Z.tar', bytes: 2 },
    ]);
  });

  it('propagates a failure of the disk and stops writing', async () => {
    let written = 0;
    const full: Sink = {
      write: async (chunk) => {
        written += chunk.length;
        if (written > 100_000) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      },
      commit: async () => {},
      abort: async () => {},
    };
    await expect(write(full)).rejects.toThrow('no space');
  });
});
