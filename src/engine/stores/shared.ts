import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { PlaceError } from '../../kit/config/config.ts';
import { findRecorded, recordOnce } from '../../kit/database/installation.ts';
import { conflict, fix } from '../../kit/errors/errors.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import type { FactStore } from './fact-store.ts';

/** Checks that the store is that of all servers and workers on the database: the first one puts a file into it, whose name is in
 *  the database. A copy of the store passes, because it has that file or those of the bills.
 *  @throws {PlaceError} if it is another one
 *  @throws {AppError} CONFLICT if it is that of another database */
export async function refuseOtherStore(pool: pg.Pool, store: FactStore): Promise<void> {
  await inTransaction(pool, async (client) => {
    const created = randomUUID();
    const id = await recordOnce(client, 'facts', created);
    const key = `installation/${id}`;
    if (id !== created && (await store.has(key))) return;
    if (id !== created && !(await holdsFacts(client, store)))
      throw new PlaceError([
        `FACTS_URL: the fact files of this database are not in ${JSON.stringify(store.name)}; set it to the location that all servers and workers share`,
      ]);
    if (id === created) await refuseForeign(store, null);
    await mark(store, key);
  });
}

/** Returns whether the store is that of the database, or none is recorded. Unlike `refuseOtherStore`, it changes nothing. */
export async function hasOwnStore(client: pg.ClientBase, store: FactStore): Promise<boolean> {
  const id = await findRecorded(client, 'facts');
  return id === null || (await store.has(`installation/${id}`)) || (await holdsFacts(client, store));
}

/** Checks that no other database uses the store: each deletes the files that it does not need.
 *  @returns the id of this database's own file in the store; null if it has none
 *  @throws {AppError} CONFLICT if another one does */
export async function refuseSharedStore(client: pg.ClientBase, store: FactStore): Promise<string | null> {
  const id = await findRecorded(client, 'facts');
  const own = id === null ? null : `installation/${id}`;
  return (await refuseForeign(store, own)) ? id : null;
}

/** Returns whether the store has this database's own file. Throws if it has the file of another database. */
async function refuseForeign(store: FactStore, own: string | null): Promise<boolean> {
  let hasOwn = false;
  for await (const { key } of store.list()) {
    if (key === own) hasOwn = true;
    else if (key.startsWith('installation/'))
      throw conflict`FACTS_URL: another database uses ${store.name}, which has its file ${key}${fix}set FACTS_URL to another location, or delete that file if the other database no longer exists`;
  }
  return hasOwn;
}

/** Returns whether the file of the latest load is in the store. */
async function holdsFacts(client: pg.ClientBase, store: FactStore): Promise<boolean> {
  const { rows } = await client.query<{ key: string }>(
    `/* holdsFacts */ SELECT facts->0->>'key' AS key FROM billing_periods WHERE jsonb_array_length(facts) > 0
     ORDER BY loaded_at DESC LIMIT 1`,
  );
  return rows[0] !== undefined && (await store.has(rows[0].key));
}

async function mark(store: FactStore, key: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-installation-'));
  try {
    const file = path.join(folder, 'installation');
    await writeFile(file, 'The fact files of one installation of Costkeep\n');
    await store.put(key, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
