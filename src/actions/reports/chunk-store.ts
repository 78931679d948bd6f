import type pg from 'pg';

/** Bytes of every part of a file but its last. */
export const partBytes = 256 * 1024;

/** Keeps others from writing a report's file, as long as the connection lives.
 *  @returns false when somebody else writes it */
export async function lockFile(client: pg.ClientBase, reportId: string): Promise<boolean> {
  const sql = '/* lockFile */ SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken';
  const { rows } = await client.query<{ taken: boolean }>(sql, [`report:${reportId}`]);
  return rows[0]?.taken === true;
}

/** Lets others write it again. */
export async function unlockFile(client: pg.ClientBase, reportId: string): Promise<void> {
  await client.query('/* unlockFile */ SELECT pg_advisory_unlock(hashtextextended($1, 0))', [`report:${reportId}`]);
}

/** Deletes what there is of a report's file. */
export async function deleteParts(client: pg.ClientBase, reportId: string): Promise<void> {
  await client.query('/* deleteParts */ DELETE FROM report_chunks WHERE report_id = $1', [reportId]);
}

/** Writes a part of a file.
 *  @returns false when the report is gone */
export async function insertPart(
  client: pg.ClientBase,
  { reportId, part, bytes }: { reportId: string; part: number; bytes: Buffer },
): Promise<boolean> {
  const sql = `/* insertPart */ INSERT INTO report_chunks (report_id, part, bytes)
    SELECT id, $2, $3 FROM reports WHERE id = $1`;
  return (await client.query(sql, [reportId, part, bytes])).rowCount === 1;
}

/** A part of a file; null when it is gone. */
export async function readPart(pool: pg.Pool, reportId: string, part: number): Promise<Buffer | null> {
  const sql = '/* readPart */ SELECT bytes FROM report_chunks WHERE report_id = $1 AND part = $2';
  const { rows } = await pool.query<{ bytes: Buffer }>(sql, [reportId, part]);
  return rows[0]?.bytes ?? null;
}
