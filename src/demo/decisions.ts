import { updateRecommendation } from '../analysis/recommendations/change.ts';
import { pageRecommendations } from '../analysis/recommendations/list.ts';
import type { ChangeInput } from '../analysis/recommendations/input.ts';
import type { Deps } from '../kit/deps.ts';
import type { Actor } from '../tenancy/audit/store.ts';
import type { Viewer } from '../tenancy/auth/scope.ts';

/** What the sample's people have decided of what could be saved, by the type of the recommendation. None is applied: the
 *  sample's bills would show that nobody did. */
const decisions: Readonly<Record<string, Omit<ChangeInput, 'id'>>> = {
  aws_eks_extended_support: { status: 'in_progress', reason: 'The platform team upgrades the cluster this month.' },
  azure_snapshot_old: { status: 'archived', reason: 'The auditors want it until the end of the year.' },
  gcp_gcs_standard_cold: { snoozeDays: 30 },
};

const first = { skip: 0, take: 1 };

/** Decides of one recommendation of each of these types, unless somebody has decided of any already. */
export async function decide(deps: Pick<Deps, 'db' | 'clock'>, viewer: Viewer, actor: Actor): Promise<void> {
  const types = Object.keys(decisions);
  const { scope } = viewer;
  const decided = await pageRecommendations(deps, scope, { status: ['in_progress', 'applied', 'archived'] }, first);
  if (decided.total > 0) return;
  for (const type of types) {
    const { rows } = await pageRecommendations(deps, scope, { type: [type] }, first);
    for (const { id } of rows) await updateRecommendation(deps, viewer, actor, { id, ...decisions[type] });
  }
}
