import { recordListing } from '../../facts/inventory/listing.ts';
import { evaluateAccount, type EvaluationDeps } from '../../analysis/evaluation/run.ts';
import type { Deps } from '../../kit/deps.ts';
import { dayOf } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { aws } from '../../sample/aws/cloud.ts';
import { azure } from '../../sample/azure/cloud.ts';
import { gcp } from '../../sample/gcp/cloud.ts';
import { listingOf } from '../../sample/inventory/listing.ts';

/** The clouds, in the order in which their accounts are connected. */
const clouds = [aws, azure, gcp];

/** Records the current inventory listings of the clouds.
 *  @param ids accounts of the three clouds, in the order of `syncAccounts` */
export async function recordListings(
  deps: Pick<Deps, 'pool' | 'engine' | 'clock'>,
  scope: OrgScope,
  ids: readonly string[],
): Promise<void> {
  const listedAt = deps.clock.now();
  for (const [at, cloud] of clouds.entries()) {
    const id = ids[at];
    if (id) await recordListing(deps, scope, id, { items: listingOf(cloud, dayOf(listedAt)), listedAt });
  }
}

/** Evaluates everything derived from bills and listings, so that it is available when the demo reports ready. */
export async function evaluateAccounts(
  deps: EvaluationDeps,
  scope: OrgScope,
  ids: readonly string[],
  onProgress: (done: number) => void,
): Promise<void> {
  for (const [at, id] of ids.entries()) {
    onProgress(at / ids.length);
    await evaluateAccount(deps, scope, id);
  }
}
