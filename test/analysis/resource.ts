import { newId } from '../../src/kit/ids.ts';
import type { Team } from '../tenancy/team.ts';

/** Creates a resource in the inventory of a team's account.
 *  @returns its id */
export async function aResource(
  { db, organizationId, accounts, deps }: Team,
  given: {
    readonly account: 'one' | 'two';
    readonly nativeId: string;
    readonly resourceId?: bigint;
    readonly provider?: string;
  },
): Promise<string> {
  const { account, nativeId, resourceId, provider = 'aws' } = given;
  const accountId = accounts[account];
  const day = new Date('2026-11-01T00:00:00Z');
  const id = newId(deps.clock.now());
  const number = resourceId ?? BigInt(await db.inventoryResource.count({ where: { accountId } })) + 1n;
  const what = {
    provider,
    nativeId,
    name: nativeId,
    resourceType: 'Thing',
    service: 'EC2',
    region: 'eu',
    subAccount: '',
  };
  const rest = { tags: {}, tagTerms: [], searchText: nativeId, metadata: {}, currency: 'USD', costLast30Days: 1 };
  await db.inventoryResource.create({
    data: { id, accountId, organizationId, resourceId: number, ...what, ...rest, firstSeenAt: day, lastSeenAt: day },
    select: { id: true },
  });
  return id;
}
