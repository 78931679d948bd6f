import type { Db } from '../../../kit/db.ts';
import type { Month } from '../../../kit/time/period.ts';
import type { OrgScope } from '../../auth/scope.ts';

/** Lists the organizations whose exchange rates are downloaded.
 *  @param isDefault applies to organizations whose Admins have not decided */
export async function listAutomatic(db: Db, isDefault: boolean): Promise<string[]> {
  const decided = { automaticExchangeRates: true };
  const where = isDefault ? { OR: [decided, { automaticExchangeRates: null }] } : decided;
  const rows = await db.organization.findMany({ where, select: { id: true } });
  return rows.map(({ id }) => id);
}

/** A pair of currencies that costs are converted between. */
export interface UsedPair {
  /** A currency of bills. */
  readonly from: string;
  /** The currency of the organization or a budget. */
  readonly to: string;
  /** Month of the first bill in `from`. */
  readonly since: Month;
  /** Whether any rate is known. */
  readonly isRated: boolean;
}

/** Lists the pairs of currencies that an organization needs rates for. */
export function listUsedPairs(db: Db, { organizationId }: OrgScope): Promise<UsedPair[]> {
  return db.$queryRaw<UsedPair[]>`/* listUsedPairs */
    WITH billed AS (
      SELECT t->>'currency' AS currency, min(coalesce(b.data_from, b.period)) AS since
      FROM billing_periods b, jsonb_array_elements(b.totals) t WHERE b.organization_id = ${organizationId}::uuid GROUP BY 1
    ), targets AS (
      SELECT currency FROM organizations WHERE id = ${organizationId}::uuid
      UNION SELECT currency FROM budgets WHERE organization_id = ${organizationId}::uuid
    )
    SELECT billed.currency AS "from", targets.currency AS "to", to_char(billed.since, 'YYYY-MM') AS since,
      EXISTS (SELECT FROM exchange_rates x WHERE x.organization_id = ${organizationId}::uuid
        AND x.from_currency = billed.currency AND x.to_currency = targets.currency) AS "isRated"
    FROM billed JOIN targets ON targets.currency <> billed.currency ORDER BY 1, 2`;
}
