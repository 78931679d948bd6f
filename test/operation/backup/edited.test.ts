import path from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { readConfig } from '../../../src/kit/config/config.ts';
import { openLog } from '../../../src/kit/log.ts';
import { systemClock } from '../../../src/kit/time/clock.ts';
import { maxPartBytes } from '../../../src/operation/backup/archive/format.ts';
import { freshDatabase } from '../../support/database.ts';
import { factWorld } from '../../support/facts.ts';
import { editBackup, editRows, type Unpacked } from './edited.ts';
import { aFolder, aLoadedWorld, backUpTo, passphrase, restoreFrom } from './world.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'costkeep-edited-'));
const original = path.join(folder, 'original.tar');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Restores an edited copy into an empty database.
 *  @returns the files that the fact store then has, and the reason of the failure */
async function restoreEdited(edit: (backup: Unpacked) => void): Promise<{ reason: string; files: number }> {
  const location = path.join(aFolder(), 'edited.tar');
  if (!existsSync(original)) await backUpTo((await aLoadedWorld()).world.deps, original, { passphrase });
  await editBackup(original, location, edit);
  const database = await freshDatabase();
  const config = readConfig({ DATA_DIR: aFolder(), LOG_LEVEL: 'silent' });
  const { factStore } = factWorld();
  const deps = { factStore, config, clock: systemClock, log: openLog('silent') };
  const reason = await restoreFrom(location, { deps, database }).then(
    ({ files }) => `restored ${files} files`,
    (error: Error) => error.message,
  );
  const { rows } = await database.pool.query('SELECT 1 FROM organizations');
  if (!reason.startsWith('restored')) expect(rows).toEqual([]);
  const stored: string[] = [];
  for await (const { key } of factStore.list()) stored.push(key);
  return { reason, files: stored.length };
}

const files = ({ entries }: Unpacked) => entries.filter(({ name }) => name.startsWith('facts/'));
const account = '0198c1a0-0000-7000-8000-000000000000';

function addFile(backup: Unpacked, key: string): void {
  backup.entries.push({ name: `facts/${key}`, content: Buffer.from('x') });
  backup.manifest.files += 1;
}

const edits: readonly [string, string | RegExp, (backup: Unpacked) => void][] = [
  [
    'no fact files',
    'it has 0 fact files, but its manifest lists 4',
    (backup) => {
      backup.entries = backup.entries.filter(({ name }) => !name.startsWith('facts/'));
    },
  ],
  [
    'a missing fact file, also in the manifest',
    /the fact file "[^"]+parquet" is missing/,
    (backup) => {
      const [first] = files(backup);
      backup.entries = backup.entries.filter((entry) => entry !== first);
      backup.manifest.files -= 1;
    },
  ],
  [
    'a truncated fact file',
    /the fact file "[^"]+parquet" has 0 bytes instead of \d+/,
    (backup) => {
      for (const file of files(backup)) file.content = Buffer.alloc(0);
    },
  ],
  [
    'an empty fact file, also in its month',
    /the fact file "[^"]+parquet" is empty/,
    (backup) => {
      for (const file of files(backup)) file.content = Buffer.alloc(0);
      editRows(backup, 'billing_periods', (rows) => rows.replaceAll(/"bytes": \d+/g, '"bytes": 0'));
    },
  ],
  [
    'an unused fact file',
    `no month or upload uses its fact file "${account}/2026-05/x.parquet"`,
    (backup) => addFile(backup, `${account}/2026-05/x.parquet`),
  ],
  [
    'the file of another database',
    'it has an unexpected entry "facts/installation/x"',
    (backup) => addFile(backup, 'installation/x'),
  ],
  [
    'a key outside of the fact store',
    'it has an unexpected entry "facts/../../x"',
    (backup) => addFile(backup, '../../x'),
  ],
  ['an absolute key', 'it has an unexpected entry "facts//etc/x"', (backup) => addFile(backup, '/etc/x')],
  [
    'a long key',
    /it has an unexpected entry "facts\/[^"]{194}…"; use/,
    (backup) => addFile(backup, `${account}/2026-05/${'a'.repeat(5_000)}`),
  ],
  [
    'a name with control characters',
    'it has an unexpected entry "facts/\\u001b[2J?"',
    (backup) => addFile(backup, '\u001b[2J\u009b'),
  ],
  [
    'a symbolic link',
    'its entry "facts/link" is not a file',
    ({ entries }) => void entries.push({ name: 'facts/link', content: Buffer.alloc(0), type: 'symlink' }),
  ],
  [
    'a table listed twice',
    'its description is not readable: tables: must not list a table twice',
    ({ manifest: { tables } }) => void tables.push(...tables.slice(0, 1)),
  ],
  [
    'a migration listed twice',
    'its description is not readable: migrations: must not list a migration twice',
    ({ header: { migrations } }) => void migrations.push(...migrations.slice(0, 1)),
  ],
  [
    'a migration without those before it',
    /: (type|relation|column) .+ does not exist; use/,
    ({ header }) => void (header.migrations = header.migrations.slice(1)),
  ],
  [
    'no organizations',
    /violates foreign key constraint/,
    (backup) => {
      editRows(backup, 'organizations', () => '');
    },
  ],
  [
    'a part that is not compressed',
    'a part of the rows of "organizations" cannot be decompressed',
    ({ entries }) => {
      for (const entry of entries) if (entry.name.includes('/organizations/')) entry.content = Buffer.from('rows');
    },
  ],
  [
    'a part that decompresses to more than the limit',
    'a part of the rows of "organizations" cannot be decompressed',
    ({ entries }) => {
      const content = zstdCompressSync(Buffer.alloc(maxPartBytes + 1));
      for (const entry of entries) if (entry.name.includes('/organizations/')) entry.content = content;
    },
  ],
  [
    'a short salt',
    'its description is not readable: keys.kdf.salt: must have 8 to 64 bytes',
    ({ header }) => {
      if (header.keys) header.keys.kdf.salt = 'c2FsdA==';
    },
  ],
];

describe('an edited archive with the right digests', () => {
  it('is restored if nothing was changed', async () => {
    expect(await restoreEdited(() => {})).toEqual({ reason: 'restored 4 files', files: 4 });
  });

  it.each(edits)('is rejected with %s, and leaves nothing behind', async (_what, reason, edit) => {
    const result = await restoreEdited(edit);
    expect(result.reason).toMatch(reason);
    expect(result.reason).toMatch(/^The backup is damaged or was edited: .*; use another backup$/);
    expect(result.files).toBe(0);
  });
});
