import { remakeSums } from '../../../src/analysis/recommendations/sums-store.ts';
import { inTransaction } from '../../../src/kit/database/transaction.ts';
import { newId } from '../../../src/kit/ids.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { aTeam, start, type Team } from '../team.ts';

const day = new Date('2026-11-20');
const kind = { provider: 'aws', resourceType: 'volume', service: 'EBS', region: 'eu-west-1', currency: 'USD' };

/** The organization of `aTeam`, with Eve, who has access to the first account only, and Zoe with an organization and account of
 *  her own. Each account has the given number of resources, with one recommendation each, and of anomalies. */
export async function findingsWorld(resources: number) {
  const team = await aTeam();
  await team.join('eve', 'admin', [team.accounts.one]);
  const zoe = await team.register('zoe');
  team.tokens['zoe'] = zoe.accessToken;
  const elsewhere = zoe.viewer.scope.organizationId;
  const data = { organizationId: elsewhere, externalId: 'z', name: 'zoe’s', provider: 'focus' } as const;
  const three = (await team.db.account.create({ data, select: { id: true } })).id;
  const found = {
    one: await findings(team, { organizationId: team.organizationId, accountId: team.accounts.one }, resources),
    two: await findings(team, { organizationId: team.organizationId, accountId: team.accounts.two }, resources),
    three: await findings(team, { organizationId: elsewhere, accountId: three }, resources),
  };
  return { ...team, zoe: zoe.viewer, elsewhere, accounts: { ...team.accounts, three }, found };
}

/** The ids of the records of an account. */
type Found = Readonly<Record<'resources' | 'recommendations' | 'anomalies', string[]>>;

async function findings(
  { db, deps }: Pick<Team, 'db' | 'deps'>,
  owner: { organizationId: string; accountId: string },
  count: number,
): Promise<Found> {
  const places = Array.from({ length: count }, (_, place) => place);
  const ids = () => places.map(() => newId(start));
  const found = { resources: ids(), recommendations: ids(), anomalies: ids() };
  const seen = { firstSeenAt: day, lastSeenAt: day };
  await db.inventoryResource.createMany({
    data: found.resources.map((id, place) => ({
      ...owner,
      ...kind,
      ...seen,
      id,
      resourceId: BigInt(place),
      nativeId: `vol-${place}`,
      name: `volume ${place}`,
      subAccount: '',
      tags: {},
      tagTerms: [],
      searchText: `volume ${place}`,
      metadata: {},
      costLast30Days: 10 + place,
    })),
  });
  const { organizationId, accountId } = owner;
  await db.inventoryCount.create({ data: { ...owner, ...kind, isGone: false, resources: count } });
  const times = { createdAt: start, updatedAt: start };
  await db.recommendation.createMany({
    data: found.recommendations.map((id, place) => ({
      ...owner,
      ...times,
      id,
      fingerprint: `${place}`,
      provider: 'aws',
      type: 'aws_ebs_unattached',
      title: `Delete volume ${place}`,
      description: 'It is attached to nothing.',
      resourceId: BigInt(place),
      nativeId: `vol-${place}`,
      resourceName: `volume ${place}`,
      currency: 'USD',
      estimatedMonthlySavings: 10 + place,
      confidence: 'high',
      evidence: {},
      scripts: [],
    })),
  });
  await inTransaction(deps.pool, (client) => remakeSums(client, orgScope(organizationId, null), accountId));
  await db.anomaly.createMany({
    data: found.anomalies.map((id, place) => ({
      ...owner,
      id,
      provider: 'aws',
      service: `Service ${place}`,
      region: '',
      kind: 'spike',
      startDate: day,
      endDate: day,
      severity: 'low',
      currency: 'USD',
      expectedCost: 10,
      actualCost: 30,
      series: [],
      facts: {},
      detectedAt: start,
      updatedAt: start,
    })),
  });
  return found;
}
