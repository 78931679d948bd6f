import { openFacts } from '../../engine/fact-set.ts';
import type { Deps } from '../../kit/deps.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { type ListedResource, recordListing } from '../inventory/listing.ts';

/** Terms of a commitment, under their FOCUS 1.4 names; null if absent. */
export interface Terms {
  readonly id: string;
  /** Slug as on bills; null if not stated (FOCUS 1.3). */
  readonly provider: string | null;
  /** ISO 8601, UTC. The end is exclusive. */
  readonly startsAt: string;
  readonly endsAt: string;
  /** Decimal texts. */
  readonly cost: string | null;
  readonly quantity: string | null;
  readonly ContractId: string | null;
  readonly ContractCommitmentCategory: string | null;
  readonly ContractCommitmentType: string | null;
  readonly ContractCommitmentDescription: string | null;
  readonly ContractCommitmentUnit: string | null;
  readonly ContractCommitmentLifecycleStatus: string | null;
  readonly ContractCommitmentPaymentModel: string | null;
  readonly BillingCurrency: string | null;
}

/** Name of the list in `inventory_listings`. */
export const commitmentList = 'focus:contract-commitment';

/** FOCUS ContractCommitmentLifecycleStatus of commitments that are not in force. */
const absent = new Set(['proposed', 'canceled', 'superseded']);

/** Days after its end during which a commitment is listed: it covered usage of the analyzed days. */
const rememberedDays = 62;

/** Lists an account's commitments in its inventory, with their terms, so that their end is known to the planner and to
 *  recommendations. Replaces those of the last delivery, and keeps those that a provider lists.
 *  @throws {AppError} NOT_FOUND if the account is gone */
export async function recordCommitments(
  deps: Pick<Deps, 'pool' | 'engine'>,
  scope: OrgScope,
  { accountId, now }: { readonly accountId: string; readonly now: Date },
  commitments: readonly Terms[],
): Promise<void> {
  const billed = await listBilled(deps, scope, accountId);
  const providers = new Set(billed.map(({ provider }) => provider));
  const [only] = providers.size === 1 ? providers : [];
  const byId = new Map(billed.map((row) => [row.id.toLowerCase(), row]));
  const isRelevant = ({ endsAt, ContractCommitmentLifecycleStatus: status }: Terms) =>
    !absent.has(status?.toLowerCase() ?? '') && now.getTime() - Date.parse(endsAt) < rememberedDays * 86_400_000;
  const items = commitments.filter(isRelevant).map((terms) => {
    const bill = byId.get(terms.id.toLowerCase());
    const provider = bill?.provider ?? terms.provider ?? only ?? 'unknown';
    return itemOf(terms, { nativeId: bill?.id ?? terms.id, provider });
  });
  await recordListing(deps, scope, accountId, { items, listedAt: now, unread: [`^(?!${commitmentList}$)`] });
}

interface Billed {
  readonly id: string;
  readonly provider: string;
}

/** Lists the commitments in an account's bills, or one row with an empty id per provider that has none. */
async function listBilled({ pool, engine }: Pick<Deps, 'pool' | 'engine'>, scope: OrgScope, accountId: string) {
  const facts = await openFacts(pool, scope, { accountIds: [accountId], start: null, end: null, grain: 'month' });
  const sql = `SELECT DISTINCT coalesce(CommitmentDiscountId, '') AS id, x_Provider AS provider FROM facts ORDER BY ALL`;
  return engine.rows<Billed>(facts, { name: 'billedCommitments', sql, lane: 'job' });
}

function itemOf(terms: Terms, { nativeId, provider }: { nativeId: string; provider: string }): ListedResource {
  return {
    provider,
    nativeId,
    name: terms.ContractCommitmentDescription ?? terms.id,
    resourceType: terms.ContractCommitmentType ?? 'Commitment',
    service: '',
    region: '',
    tags: {},
    metadata: {
      ...given({
        state: terms.ContractCommitmentLifecycleStatus?.toLowerCase() ?? null,
        category: terms.ContractCommitmentCategory,
        contractId: terms.ContractId,
        payment: terms.ContractCommitmentPaymentModel,
        cost: terms.cost,
        currency: terms.BillingCurrency,
        quantity: terms.quantity,
        unit: terms.ContractCommitmentUnit,
      }),
      startsAt: terms.startsAt,
      endsAt: terms.endsAt,
    },
    namedBy: commitmentList,
  };
}

function given(fields: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}
