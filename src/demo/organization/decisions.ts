import { updateAnomaly, pageAnomalies, type ChangeInput as AnomalyChange } from '../../analysis/anomalies/anomalies.ts';
import { updateRecommendation } from '../../analysis/recommendations/change.ts';
import { pageRecommendations } from '../../analysis/recommendations/list.ts';
import type { ChangeInput } from '../../analysis/recommendations/input.ts';
import type { Deps } from '../../kit/deps.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';

/** The sample users' decisions on recommendations, by recommendation type. None is marked as applied, because the
 *  sample's bills would contradict it. */
const decisions: Readonly<Record<string, Omit<ChangeInput, 'id'>>> = {
  aws_eks_extended_support: {
    status: 'in_progress',
    statusReason: 'The platform team is upgrading the cluster this month.',
  },
  azure_snapshot_old: { status: 'archived', statusReason: 'Required by the auditors until the end of the year.' },
  gcp_gcs_standard_cold: { snoozeDays: 30 },
};

/** The sample users' decisions on the newest anomaly of a service. */
const anomalyDecisions: Readonly<Record<string, Omit<AnomalyChange, 'id'>>> = {
  'Azure OpenAI': {
    status: 'acknowledged',
    statusReason: 'The support assistant resends failed conversations in a loop.',
  },
  BigQuery: { status: 'open', statusReason: 'The data team is adding a partition filter to the dashboard.' },
  AmazonCloudWatch: { status: 'resolved', statusReason: 'Debug logging has been turned off.' },
};

const first = { skip: 0, take: 1, select: { id: true } } as const;

/** Records decisions on some recommendations and anomalies, unless that kind already has any. */
export async function decide(deps: Pick<Deps, 'db' | 'clock'>, viewer: Viewer, actor: Actor): Promise<void> {
  await decideOfRecommendations(deps, viewer, actor);
  await decideOfAnomalies(deps, viewer, actor);
}

async function decideOfRecommendations(deps: Pick<Deps, 'db' | 'clock'>, viewer: Viewer, actor: Actor): Promise<void> {
  const types = Object.keys(decisions);
  const { scope } = viewer;
  const decided = await pageRecommendations(deps, scope, { status: ['in_progress', 'applied', 'archived'] }, first);
  if (decided.total > 0) return;
  for (const type of types) {
    const { rows } = await pageRecommendations(deps, scope, { type: [type] }, first);
    for (const { id } of rows) await updateRecommendation(deps, viewer, actor, { id, ...decisions[type] });
  }
}

async function decideOfAnomalies(deps: Pick<Deps, 'db' | 'clock'>, viewer: Viewer, actor: Actor): Promise<void> {
  const { scope } = viewer;
  // Others were resolved automatically, because they are over.
  const all = { skip: 0, take: 100, select: { id: true, statusChangedById: true } } as const;
  const { rows: found } = await pageAnomalies(deps, scope, { sortBy: '-status_changed_at' }, all);
  if (found.some(({ statusChangedById }) => statusChangedById !== null)) return;
  for (const [service, decision] of Object.entries(anomalyDecisions)) {
    const { rows } = await pageAnomalies(deps, scope, { service: [service], sortBy: '-start_date' }, first);
    const assigneeId = decision.status === 'resolved' ? null : viewer.userId;
    for (const { id } of rows) await updateAnomaly(deps, viewer, actor, { id, assigneeId, ...decision });
  }
}
