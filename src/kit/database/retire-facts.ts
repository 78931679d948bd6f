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

/** Queues the fact files of billing months, and for all months also the uploaded files, for the collector
 *  (`src/engine/stores/collect.ts`), which deletes them once no query can still read them. Call it in the same transaction,
 *  before the months are pointed at new files. */
export async function retireFacts(client: pg.ClientBase, retired: Retired, now: Date): Promise<void> {
  const { organizationId, accountId, month } = retired;
  await client.query(
    `/* retireFacts */ INSERT INTO retired_fact_files (key, retired_at)
     SELECT file->>'key', $2 FROM billing_periods, jsonb_array_elements(facts) AS file
     WHERE organization_id = $1 AND ($3::uuid IS NULL OR account_id = $3) AND ($4::date IS NULL OR period = $4)
     ON CONFLICT DO NOTHING`,
    [organizationId, now, accountId, month === null ? null : `${month}-01`],
  );
  if (month !== null) return;
  await client.query(
    `/* retireFacts */ INSERT INTO retired_fact_files (key, retired_at) SELECT storage_key, $2 FROM uploaded_files
     WHERE organization_id = $1 AND ($3::uuid IS NULL OR account_id = $3) ON CONFLICT DO NOTHING`,
    [organizationId, now, accountId],
  );
}

/** Queues files by their keys. The collector keeps those that a month or upload points to by then. */
export async function retireKeys(client: pg.ClientBase, keys: readonly string[], now: Date): Promise<void> {
  await client.query(
    `/* retireKeys */ INSERT INTO retired_fact_files (key, retired_at) SELECT key, $2 FROM unnest($1::text[]) AS key
     ON CONFLICT DO NOTHING`,
    [keys, now],
  );
}
