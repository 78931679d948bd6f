import type pg from 'pg';
import type { Month } from '../time/period.ts';

/** Which billing months lose their fact files. */
interface Retired {
  readonly organizationId: string;
  /** Null: every account's. */
  readonly accountId: string | null;
  /** Null: every month. */
  readonly month: Month | null;
}

/** Hands the fact files of billing months to the collector (`src/engine/stores/collect.ts`), which deletes them once no query can
 *  still read them. To be called before the months point elsewhere, in the same transaction. */
export async function retireFacts(client: pg.ClientBase, retired: Retired, now: Date): Promise<void> {
  const { organizationId, accountId, month } = retired;
  await client.query(
    `/* retireFacts */ INSERT INTO retired_fact_files (key, retired_at)
     SELECT file->>'key', $2 FROM billing_periods, jsonb_array_elements(facts) AS file
     WHERE organization_id = $1 AND ($3::uuid IS NULL OR account_id = $3) AND ($4::date IS NULL OR period = $4)
     ON CONFLICT DO NOTHING`,
    [organizationId, now, accountId, month === null ? null : `${month}-01`],
  );
}
