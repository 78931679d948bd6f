import type { PrismaClient } from '../../../prisma/generated/client/client.ts';
import type { AnomalyFacts } from '../../../src/analysis/anomalies/explanation/facts.ts';
import { newId } from '../../../src/kit/ids.ts';
import { someFacts } from './explanation/facts.ts';

/** Stores an anomaly as an evaluation would, with overrides.
 *  @returns its id */
export async function keepAnomaly(
  db: PrismaClient,
  owner: { readonly organizationId: string; readonly accountId: string; readonly now: Date },
  given: { readonly facts?: Partial<AnomalyFacts>; readonly [column: string]: unknown } = {},
): Promise<string> {
  const { facts: some, ...columns } = given;
  const facts = someFacts(some);
  const id = newId(owner.now);
  await db.anomaly.create({
    data: {
      id,
      organizationId: owner.organizationId,
      accountId: owner.accountId,
      provider: facts.provider,
      service: facts.service,
      region: 'eu-west-1',
      kind: facts.kind,
      startDate: new Date(facts.startDate),
      endDate: new Date(facts.endDate),
      severity: 'high',
      currency: facts.currency,
      expectedCost: facts.expected,
      actualCost: facts.actual,
      series: [{ date: facts.startDate, cost: 400, expected_cost: 78.2, expected_low: 66.5, expected_high: 97.75 }],
      facts: JSON.parse(JSON.stringify(facts)) as object,
      detectedAt: owner.now,
      updatedAt: owner.now,
      ...columns,
    },
    select: { id: true },
  });
  return id;
}
