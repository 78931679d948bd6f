import type { FactSet } from '../../../engine/fact-set.ts';
import { literal } from '../../../engine/sql.ts';
import { chargeRelations, virtualTagColumns, type VirtualTagColumns } from '../../../facts/costs/reading/fact-sql.ts';
import { readLive, tagBasis } from '../../../facts/costs/reading/tag-basis.ts';
import type { Deps } from '../../../kit/deps.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { findingParameters, inFinding, mostPerDimension, type DriverSums } from './driver-store.ts';
import type { Finding } from './finding.ts';

interface Row {
  readonly key: string;
  readonly value: string;
  readonly cost: string;
  readonly usualCost: string;
}

/** Returns the columns that evaluate the enabled virtual tags over the charges of an account. */
export async function virtualTagsOf(
  { pool }: Pick<Deps, 'pool'>,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
  accountId: string,
): Promise<VirtualTagColumns> {
  const live = await readLive(pool, { organizationId }, null);
  const basis = await tagBasis(pool, { organizationId, accountIds: [accountId] }, live);
  return virtualTagColumns(basis, [...live.keys()]);
}

/** Breaks an anomaly down by the values of each virtual tag, whose rules are evaluated over its charges only. */
export async function readTagDrivers(
  { engine }: Pick<Deps, 'engine'>,
  facts: FactSet,
  virtual: VirtualTagColumns,
  finding: Finding,
): Promise<DriverSums[]> {
  if (virtual.values.size === 0) return [];
  const attributes = virtual.attributes.map(({ name, sql }) => `${sql} AS ${name}, `).join('');
  const charges = `SELECT list_contains($days::TIMESTAMP[], ChargePeriodStart) AS isNow, ${attributes}sum(EffectiveCost) AS cost
    FROM facts WHERE ${inFinding} GROUP BY ALL`;
  const values = [...virtual.values].map(
    ([
      key,
      { name },
    ]) => `SELECT ${literal(key)} AS key, ${name} AS value, coalesce(sum(cost) FILTER (WHERE isNow), 0) AS cost,
      coalesce(sum(cost) FILTER (WHERE NOT isNow), 0) AS usual FROM charges GROUP BY ${name}`,
  );
  const sql = `WITH ${chargeRelations(virtual, charges)}, scale AS (
    SELECT coalesce($expected / nullif(sum(cost) FILTER (WHERE NOT isNow), 0), 0) AS factor FROM charges
  ), sets AS (${values.join(' UNION ALL ')}), ranked AS (
    SELECT sets.*, row_number() OVER (PARTITION BY key ORDER BY cost - usual * factor DESC, value) AS place,
      row_number() OVER (PARTITION BY key ORDER BY cost - usual * factor, value) AS fromEnd FROM sets, scale
  )
  SELECT key, value, cost, usual AS usualCost FROM ranked
  WHERE place <= ${mostPerDimension} OR fromEnd <= ${mostPerDimension} / 2 ORDER BY key, place`;
  const parameters = findingParameters(finding);
  const rows = await engine.rows<Row>(facts, { name: 'readTagDrivers', sql, parameters, lane: 'job' });
  const none = { name: '', quantity: null, usualQuantity: null, unit: '' };
  return rows.map((row) => ({ ...none, ...row, dimension: 'virtual_tag' }));
}
