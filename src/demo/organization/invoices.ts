import { pageInvoices, prepareInvoices, setStatedAmount } from '../../facts/invoices/run.ts';
import type { Deps } from '../../kit/deps.ts';
import { addMonths, dayOf, monthOf } from '../../kit/time/period.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';

/** Excess of one stated amount over the sum of its lines, in cents. */
const surplus = 1_284;

/** Enters stated amounts for the month before last: all match except the smallest. Skips invoices that already have one. */
export async function stateInvoices(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'engine'>,
  { scope }: Viewer,
  actor: Actor,
): Promise<void> {
  const month = addMonths(monthOf(dayOf(deps.clock.now())), -2);
  const query = { startMonth: month, endMonth: month, sortBy: 'billed_amount' } as const;
  const { rows } = await pageInvoices(deps, await prepareInvoices(deps, scope, query), { skip: 0, take: 100 });
  for (const [index, { id, billedAmount, statedAmount }] of rows.entries()) {
    if (billedAmount === null || statedAmount !== null) continue;
    const cents = Math.round(billedAmount * 100) + (index === 0 ? surplus : 0);
    await setStatedAmount(deps, scope, actor, { id, statedAmount: cents / 100 });
  }
}
