import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Deps } from '../../kit/deps.ts';
import { amountToNumber, sumAmounts } from '../../kit/money.ts';
import { addDays, dayOf, daysBetween, instantOf, laterDay, type Day, type DayRange } from '../../kit/time/period.ts';
import { valuesOf, type CostQuery } from '../costs/query.ts';
import { run, type LedgerSlice } from '../costs/reading/sql.ts';
import type { Ledger } from '../costs/ledger.ts';
import { isCovered } from './compose.ts';
import { readCoverage, type CoverageCell } from './store.ts';

/** A commitment whose end is known from the provider's listing or from a FOCUS Contract Commitment file. */
export interface EndingCommitment {
  readonly accountId: string;
  /** CommitmentDiscountId. */
  readonly commitmentId: string;
  /** The first UTC day without it. */
  readonly date: Day;
  /** Its name, if it is not the id. */
  readonly name: string | null;
  /** The provider's type, such as `ComputeSavingsPlan`. */
  readonly resourceType: string | null;
  readonly region: string | null;
  readonly termMonths: number | null;
}

/** Change in the cost of a service when a commitment ends. */
export interface CommitmentEnd extends Omit<EndingCommitment, 'accountId'> {
  readonly service: string;
  /** Additional cost per day, in whole units of the ledger's currency; negative if most of the commitment is unused. */
  readonly dailyChange: number;
}

const lists = new WeakMap<Ledger, Promise<EndingCommitment[]>>();

/** Lists the commitments of a ledger's accounts with a known end, by date. Read once for each ledger, which the forecasts of a
 *  list share. */
export function listEnding(pool: Deps['pool'], ledger: Ledger): Promise<EndingCommitment[]> {
  const list = lists.get(ledger) ?? readEnding(pool, ledger);
  lists.set(ledger, list);
  return list;
}

async function readEnding(pool: Deps['pool'], { organizationId, accounts }: Ledger): Promise<EndingCommitment[]> {
  const rows = await run<EndingRow>(
    pool,
    Prisma.sql`/* coverage: ending commitments */
SELECT i.account_id, i.native_id, i.metadata ->> 'endsAt' AS ends_at, CASE WHEN lower(i.name) <> lower(i.native_id) THEN nullif(i.name, '') END AS name,
  nullif(i.resource_type, '') AS resource_type, nullif(i.region, '') AS region,
  CASE WHEN jsonb_typeof(i.metadata -> 'termMonths') = 'number'
    THEN round(least((i.metadata ->> 'termMonths')::numeric, 1200))::int END AS term_months
FROM inventory_listings AS i
WHERE i.organization_id = ${organizationId} AND i.account_id = ANY(${accounts.map(({ id }) => id)})
  AND i.metadata ? 'endsAt'
ORDER BY i.metadata ->> 'endsAt', i.native_id`,
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    commitmentId: row.native_id,
    date: dayAfter(row.ends_at),
    name: row.name,
    resourceType: row.resource_type,
    region: row.region,
    termMonths: row.term_months,
  }));
}

interface EndingRow {
  account_id: string;
  native_id: string;
  ends_at: string;
  name: string | null;
  resource_type: string | null;
  region: string | null;
  term_months: number | null;
}

/** Returns the first whole UTC day at or after a time: a commitment that ends during a day covers part of it. */
function dayAfter(time: string): Day {
  const end = new Date(time);
  const day = dayOf(end);
  return end > instantOf(day) ? addDays(day, 1) : day;
}

/** Days over which the use of a commitment is averaged: four weeks. */
const averagedDays = 28;
/** Smallest change that counts, in money per day: half a cent. */
const leastChange = 0.005;

/** Returns the changes in cost when commitments end and usage continues: their usage then costs its on-demand price, and
 *  their unused part nothing. Averaged over the last four weeks of a history.
 *  @param history days with complete bills */
export async function readEnds(
  deps: Pick<Deps, 'pool' | 'engine'>,
  slice: Ledger & LedgerSlice,
  { history, query }: { readonly history: DayRange; readonly query: CostQuery },
  ending: readonly EndingCommitment[],
): Promise<CommitmentEnd[]> {
  if (ending.length === 0) return [];
  const range = { start: laterDay(history.start, addDays(history.end, -averagedDays)), end: history.end };
  const commitments = ending.map(({ commitmentId }) => commitmentId.toLowerCase());
  const filter = {
    range,
    providers: valuesOf(query, 'provider'),
    services: valuesOf(query, 'service'),
    regions: null,
    commitments,
  };
  const { scope } = slice;
  const cells = await readCoverage(deps, { scope, slice, filter, reading: { grouping: 'commitments' } });
  const days = daysBetween(range.start, range.end);
  return ending.flatMap(({ accountId, ...commitment }) => {
    const own = cells.filter(
      (cell) =>
        cell.accountId === accountId &&
        cell.commitment === commitment.commitmentId.toLowerCase() &&
        cell.unconverted === null,
    );
    return [...Map.groupBy(own, ({ service }) => service ?? '')]
      .map(([service, used]) => ({ service, dailyChange: amountToNumber(sumAmounts(used.map(changeOf))) / days }))
      .filter(({ dailyChange }) => Math.abs(dailyChange) >= leastChange)
      .map((end) => ({ ...commitment, ...end }));
  });
}

function changeOf(cell: CoverageCell): bigint {
  return (isCovered(cell) ? cell.equivalent : 0n) - cell.effective;
}
