import type pg from 'pg';
import type { Month } from '../time/period.ts';

/** Selects the billing months whose fact files are retired. */
interface Retired {
  readonly organizationId: string;
  /** Null: all accounts. */
  readonly accountId: string | null;
  /** Null: all months. */
  readonly month: Month | null;
}

/** SQL of the keys of all files in use, to follow an EXCEPT, which associates to the left. */
export const referencedKeys = `SELECT file->>'key' FROM billing_periods, jsonb_array_elements(facts) AS file
  EXCEPT SELECT storage_key FROM uploaded_files`;

/** SQL that restarts the grace period of a file that was retired before, and has been referenced again since. */
export const onRetiredAgain = 'ON CONFLICT (key) DO UPDATE SET retired_at = excluded.retired_at';

/** Queues the fact files of billing months, and for all months also the uploaded files, for the collector
 *  (`src/engine/stores/collect.ts`), which deletes them once no query can still read them. Call it in the same transaction,
 *  before the months are pointed at new files. */
export async function retireFacts(client: pg.ClientBase, retired: Retired, now: Date): Promise<void> {
  const { organizationId, accountId, month } = retired;
  await client.query(
    `/* retireFacts */ INSERT INTO retired_fact_files (key, retired_at)
     SELECT DISTINCT file->>'key', $2::timestamptz FROM billing_periods, jsonb_array_elements(facts) AS file
     WHERE organization_id = $1 AND ($3::uuid IS NULL OR account_id = $3) AND ($4::date IS NULL OR period = $4)
     ${onRetiredAgain}`,
    [organizationId, now, accountId, month === null ? null : `${month}-01`],
  );
  if (month !== null) return;
  await client.query(
    `/* retireFacts */ INSERT INTO retired_fact_files (key, retired_at) SELECT storage_key, $2 FROM uploaded_files
     WHERE organization_id = $1 AND ($3::uuid IS NULL OR account_id = $3) ${onRetiredAgain}`,
    [organizationId, now, accountId],
  );
}

/** Queues the files among these keys that no month or upload references. */
export async function retireKeys(client: pg.ClientBase, keys: readonly string[], now: Date): Promise<void> {
  await client.query(
    `/* retireKeys */ INSERT INTO retired_fact_files (key, retired_at)
     SELECT key, $2 FROM (SELECT unnest($1::text[]) AS key EXCEPT ${referencedKeys}) AS unused ${onRetiredAgain}`,
    [keys, now],
  );
}
