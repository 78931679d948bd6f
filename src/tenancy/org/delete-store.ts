import type pg from 'pg';
import { retireFacts } from '../../kit/database/retire-facts.ts';
import { lockAccount } from '../../kit/database/account-lock.ts';

/** Deletes an organization with all rows that carry its id, in current and future tables, and its jobs. The tables
 *  are read from the database's catalog, because the cost cube has no foreign keys. Its users stay.
 *  @param client a connection with an open transaction
 *  @param ownerId the acting user
 *  @returns its name; null if it is already gone, or the user is no longer its Super Admin */
export async function eraseOrganization(
  client: pg.ClientBase,
  { organizationId, ownerId, now }: { organizationId: string; ownerId: string; now: Date },
): Promise<string | null> {
  // Blocks changes of members from here on. Transactions that have changed something else and are about to reference
  // the organization, in an audit entry, can still do so; otherwise they would deadlock with us.
  const name = await lockOrganization(client, organizationId, 'NO KEY UPDATE');
  if (name === null || !(await isOwner(client, organizationId, ownerId))) return null;
  await empty(client, organizationId, now);
  // Now they wait as well, and find it gone. Delete what was added in the meantime.
  await lockOrganization(client, organizationId, 'UPDATE');
  await empty(client, organizationId, now);
  await client.query('/* eraseOrganization */ DELETE FROM organizations WHERE id = $1', [organizationId]);
  return name;
}

async function lockOrganization(
  client: pg.ClientBase,
  organizationId: string,
  strength: 'NO KEY UPDATE' | 'UPDATE',
): Promise<string | null> {
  const text = `/* lockOrganization */ SELECT name FROM organizations WHERE id = $1 FOR ${strength}`;
  const { rows } = await client.query<{ name: string }>(text, [organizationId]);
  return rows[0]?.name ?? null;
}

async function empty(client: pg.ClientBase, organizationId: string, now: Date): Promise<void> {
  const accountIds = await idsIn(client, 'accounts', organizationId);
  const inviteIds = await idsIn(client, 'invites', organizationId);
  for (const id of accountIds) await lockAccount(client, id);
  await retireFacts(client, { organizationId, accountId: null, month: null }, now);
  await removeJobs(client, [organizationId, ...accountIds, ...inviteIds]);
  for (const table of await listTables(client)) await emptyTable(client, table, { organizationId, accountIds });
}

async function isOwner(client: pg.ClientBase, organizationId: string, userId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `/* isOwner */ SELECT 1 FROM memberships WHERE organization_id = $1 AND user_id = $2 AND role = 'super_admin'`,
    [organizationId, userId],
  );
  return rowCount === 1;
}

async function idsIn(client: pg.ClientBase, table: 'accounts' | 'invites', organizationId: string): Promise<string[]> {
  const text = `/* idsIn */ SELECT id FROM ${table} WHERE organization_id = $1 ORDER BY id`;
  const { rows } = await client.query<{ id: string }>(text, [organizationId]);
  return rows.map((row) => row.id);
}

/** Job keys contain the id of their subject: `sync:ID`, `mail invite ID …`. */
async function removeJobs(client: pg.ClientBase, ids: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ hasQueue: boolean }>(
    `/* removeJobs */ SELECT to_regclass('graphile_worker.jobs') IS NOT NULL AS "hasQueue"`,
  );
  // A database that no server has opened yet has no queue.
  if (!rows[0]?.hasQueue) return;
  await client.query(
    `/* removeJobs */ SELECT graphile_worker.remove_job(key) FROM graphile_worker.jobs WHERE key LIKE ANY ($1)`,
    [ids.map((id) => `%${id}%`)],
  );
}

interface Table {
  /** Quoted if necessary. */
  readonly name: string;
  /** Whether its rows are keyed by account: those of the cost cube, without foreign keys. */
  readonly isOfCube: boolean;
}

/** Lists all tables with the organization's id; the cube first, while its accounts can still be looked up. */
async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`/* listTables */
    SELECT quote_ident(t.relname) AS name,
           EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'account_id')
           AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conrelid = t.oid AND c.contype = 'f') AS "isOfCube"
    FROM pg_class t
    JOIN pg_attribute o ON o.attrelid = t.oid AND o.attname = 'organization_id' AND NOT o.attisdropped
    WHERE t.relkind IN ('r', 'p') AND NOT t.relispartition AND t.relnamespace = current_schema()::regnamespace
    ORDER BY "isOfCube" DESC, t.relname`);
  return rows;
}

async function emptyTable(
  client: pg.ClientBase,
  table: Table,
  { organizationId, accountIds }: { organizationId: string; accountIds: readonly string[] },
): Promise<void> {
  const text = `/* emptyTable */ DELETE FROM ${table.name} WHERE organization_id = $1`;
  // The cube's keys and indexes start with the account, and Citus finds its shards by it.
  if (!table.isOfCube) await client.query(text, [organizationId]);
  else await client.query(`${text} AND account_id = ANY ($2)`, [organizationId, accountIds]);
}
