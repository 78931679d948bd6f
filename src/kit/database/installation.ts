import type pg from 'pg';

/** Values that all servers and workers on one database share. */
export type InstallationFact = 'encryption_key' | 'facts';

/** Records a value unless one is recorded already, and returns the recorded one. Other processes wait until the end of the
 *  transaction. */
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

/** Returns the recorded value; null if there is none. An older database has no table for it. */
export async function findRecorded(client: pg.ClientBase, name: InstallationFact): Promise<string | null> {
  if (!(await hasTable(client))) return null;
  const { rows } = await client.query<{ value: string }>(
    '/* findRecorded */ SELECT value FROM installation WHERE name = $1',
    [name],
  );
  return rows[0]?.value ?? null;
}

/** Replaces the recorded value; null deletes it, so that the next start records its own. An older database has no table for it.
 *  @returns whether the database has the table */
export async function recordAgain(
  client: Pick<pg.ClientBase, 'query'>,
  name: InstallationFact,
  value: string | null,
): Promise<boolean> {
  if (!(await hasTable(client))) return false;
  await client.query('/* recordAgain */ DELETE FROM installation WHERE name = $1', [name]);
  if (value !== null)
    await client.query('/* recordAgain */ INSERT INTO installation (name, value) VALUES ($1, $2)', [name, value]);
  return true;
}

async function hasTable(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ known: boolean }>(`SELECT to_regclass('installation') IS NOT NULL AS known`);
  return rows[0]?.known ?? false;
}
