import type pg from 'pg';
import { newId } from '../../../kit/ids.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { detectors } from '../detectors/all.ts';
import { numberOf } from '../detectors/figures.ts';
import type { Draft } from './recommend.ts';
import { usageOf, type Window } from '../detectors/subject.ts';

/** Owner and time of written recommendations. */
export interface Owner {
  readonly accountId: string;
  readonly now: Date;
  readonly window: Window;
}

/** Serializes the rows of drafts for `saveDrafts`, as JSON. */
export function rowsOf(drafts: readonly Draft[], owner: Owner): string {
  return JSON.stringify(drafts.map((draft) => rowOf(draft, owner)));
}

/** Upserts drafts. A known recommendation keeps its id and status; one archived by the service itself reopens. The figures
 *  of an applied or archived one stay unchanged: later ones would describe the time after.
 *  @param rows from `rowsOf` */
export async function saveDrafts(client: pg.ClientBase, scope: OrgScope, owner: Owner, rows: string): Promise<void> {
  await client.query(
    `/* saveDrafts */ INSERT INTO recommendations AS r (${columns.join(', ')}, organization_id, account_id, status, created_at, updated_at)
     SELECT ${columns.join(', ')}, $2, $3, 'open', $4, $4 FROM json_populate_recordset(null::recommendations, $1)
     ON CONFLICT (organization_id, account_id, fingerprint) DO UPDATE SET
       ${changing.map((column) => `${column} = excluded.${column}`).join(', ')},
       status = CASE WHEN ${archivedByService} THEN 'open' ELSE r.status END,
       status_changed_at = CASE WHEN ${archivedByService} THEN $4 ELSE r.status_changed_at END,
       status_reason = CASE WHEN ${archivedByService} THEN null ELSE r.status_reason END,
       updated_at = $4
     WHERE ${archivedByService} OR (r.status IN ('open', 'in_progress')
       AND (${changing.map((column) => `r.${column}${cast(column)}`).join(', ')})
         IS DISTINCT FROM (${changing.map((column) => `excluded.${column}${cast(column)}`).join(', ')}))`,
    [rows, scope.organizationId, owner.accountId, owner.now],
  );
}

const changing = [
  'provider',
  'title',
  'description',
  'native_id',
  'resource_name',
  'currency',
  'estimated_monthly_savings',
  'confidence',
  'evidence',
  'scripts',
  'baseline_daily_cost',
] as const;
const columns = ['id', 'fingerprint', 'type', 'resource_id', ...changing] as const;

const archivedByService = `(r.status = 'archived' AND r.status_changed_by_id IS NULL)`;

function cast(column: string): string {
  return column === 'evidence' || column === 'scripts' ? '::jsonb' : '';
}

function rowOf(draft: Draft, { now, window }: Owner): Record<(typeof columns)[number], unknown> {
  const { subject } = draft;
  const cost = usageOf(subject).reduce((sum, usage) => sum + usage.cost, 0n);
  return {
    id: newId(now),
    fingerprint: draft.fingerprint,
    type: draft.type,
    resource_id: subject.about === 'resource' ? subject.id : null,
    provider: subject.provider,
    title: draft.title,
    description: draft.description,
    native_id: subject.nativeId || null,
    resource_name: subject.name || null,
    currency: subject.currency,
    estimated_monthly_savings: numberOf(draft.saving),
    confidence: draft.confidence,
    evidence: draft.evidence,
    scripts: draft.scripts,
    baseline_daily_cost: numberOf(cost / BigInt(window.days)),
  };
}

/** The outcome of an evaluation, by fingerprint. */
export interface Outcome {
  readonly found: ReadonlySet<string>;
  /** Reasons for findings that were withheld. */
  readonly reasons: ReadonlyMap<string, string>;
}

/** Archives open recommendations that were not found again, each with its reason.
 *  @returns the number archived */
export async function archiveOthers(
  client: pg.ClientBase,
  scope: OrgScope,
  { accountId, now }: Owner,
  { found, reasons }: Outcome,
): Promise<number> {
  const { rows } = await client.query<{ id: string; fingerprint: string; is_gone: boolean }>(
    `/* listLive */ SELECT r.id, r.fingerprint, r.resource_id IS NOT NULL AND (i.resource_id IS NULL OR i.gone_at IS NOT NULL) AS is_gone
     FROM recommendations r
     LEFT JOIN inventory_resources i ON i.organization_id = r.organization_id AND i.account_id = r.account_id AND i.resource_id = r.resource_id
     WHERE r.organization_id = $1 AND r.account_id = $2 AND r.status IN ('open', 'in_progress')`,
    [scope.organizationId, accountId],
  );
  const ended = rows
    .filter(({ fingerprint }) => !found.has(fingerprint))
    .map(({ id, fingerprint, is_gone }) => ({
      id,
      status_reason:
        reasons.get(fingerprint) ?? (is_gone ? 'The resource was deleted.' : 'The recommendation no longer applies.'),
    }));
  if (ended.length === 0) return 0;
  await client.query(
    `/* archiveOthers */ UPDATE recommendations r SET status = 'archived', status_reason = e.status_reason,
       status_changed_at = $4, status_changed_by_id = null, updated_at = $4
     FROM json_populate_recordset(null::recommendations, $3) e
     WHERE r.organization_id = $1 AND r.account_id = $2 AND r.id = e.id`,
    [scope.organizationId, accountId, JSON.stringify(ended), now],
  );
  return ended.length;
}

const types = detectors.filter(({ endsUsage }) => endsUsage).map(({ type }) => type);

/** Lists an account's resources whose usage an open recommendation would end.
 *  @returns their ids (`idOf`), as decimal text */
export async function listEndingResources(
  { pool }: { readonly pool: pg.Pool },
  scope: OrgScope,
  accountId: string,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `/* listEndingResources */ SELECT DISTINCT resource_id::text AS id FROM recommendations
     WHERE organization_id = $1 AND account_id = $2 AND status IN ('open', 'in_progress') AND type = ANY($3)
     AND resource_id IS NOT NULL ORDER BY 1`,
    [scope.organizationId, accountId, types],
  );
  return rows.map(({ id }) => id);
}
