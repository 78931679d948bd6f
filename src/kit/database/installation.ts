import type pg from 'pg';

/** What all servers and workers on one database must have in common. */
export type InstallationFact = 'encryption_key' | 'facts';

/** Returns the recorded value, which is this one if there was none. Other processes wait until the end of the transaction. */
export async function recordOnce(client: pg.ClientBase, name: InstallationFact, value: string): Promise<string> {
  await client.query(`/* recordOnce */ SELECT pg_advisory_xact_lock(hashtextextended('costkeep installation', 0))`);
  await client.query('/* recordOnce */ INSERT INTO installation (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    name,
    value,
  ]);
  const { rows } = await client.query<{ value: string }>(
    '/* recordOnce */ SELECT value FROM installation WHERE name = $1',
    [name],
  );
  return rows[0]?.value ?? value;
}

/** Replaces the recorded value. */
export async function recordAgain(pool: pg.Pool, name: InstallationFact, value: string): Promise<void> {
  await pool.query(
    `/* recordAgain */ INSERT INTO installation (name, value) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [name, value],
  );
}

/** Returns the recorded value; null if there is none. An older database has no table for it. */
export async function findRecorded(client: pg.ClientBase, name: InstallationFact): Promise<string | null> {
  const { rows: known } = await client.query<{ known: boolean }>(
    `SELECT to_regclass('installation') IS NOT NULL AS known`,
  );
  if (!known[0]?.known) return null;
  const { rows } = await client.query<{ value: string }>(
    '/* findRecorded */ SELECT value FROM installation WHERE name = $1',
    [name],
  );
  return rows[0]?.value ?? null;
}

/** Deletes a value, so that the next start records its own. An older database has no table for it. */
export async function forget(client: pg.ClientBase, name: InstallationFact): Promise<void> {
  const { rows } = await client.query<{ known: boolean }>(`SELECT to_regclass('installation') IS NOT NULL AS known`);
  if (rows[0]?.known) await client.query('/* forget */ DELETE FROM installation WHERE name = $1', [name]);
}
