import { instant } from './item.ts';

/** What AWS tells of a commitment, whatever its service. */
interface Bought {
  readonly state: string | undefined;
  readonly start: Date | undefined;
  /** Left out: the start and the duration tell. */
  readonly end?: Date | undefined;
  readonly durationSeconds: number | undefined;
  /** `All Upfront`, `No Upfront`, `PARTIAL_UPFRONT`. */
  readonly payment: string | undefined;
  readonly currency?: string | undefined;
}

/** States in which nothing is committed to any more, or never was. */
const over = /^(retired|returned|payment-failed|queued-deleted)$/;
/** Bills of so many days are looked at: until then it matters that a commitment has ended. */
const rememberedDays = 62;

/** Metadata of a commitment, the same words for all: `endsAt`, `state`, `termMonths`, `payment` and more. */
export function termOf(bought: Bought): Record<string, unknown> {
  const { state, start, durationSeconds, currency } = bought;
  return {
    state: state?.toLowerCase(),
    startsAt: instant(start),
    endsAt: instant(endOf(bought)),
    termMonths: durationSeconds && Math.round(durationSeconds / (30.4375 * 86_400)),
    payment: paymentOf(bought.payment),
    currency,
  };
}

/** Whether a commitment still matters: it runs, will run, or ended on the days that bills are looked at. */
export function isRemembered(bought: Bought, now: Date): boolean {
  if (!over.test(bought.state?.toLowerCase() ?? '')) return true;
  const end = endOf(bought);
  if (bought.state?.toLowerCase() !== 'retired' && bought.state?.toLowerCase() !== 'returned') return false;
  return end !== undefined && now.getTime() - end.getTime() < rememberedDays * 86_400_000;
}

/** Recurring price of each piece, of what is charged by the hour. */
export function hourlyRate(
  charges: readonly { amount: number | undefined; frequency: string | undefined }[],
): number | undefined {
  const hourly = charges.filter(
    ({ frequency, amount }) => /^hourly$/i.test(frequency ?? '') && Number.isFinite(amount),
  );
  return hourly.length === 0 ? undefined : hourly.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
}

function endOf({ start, end, durationSeconds }: Bought): Date | undefined {
  if (end !== undefined) return end;
  return start && durationSeconds ? new Date(start.getTime() + durationSeconds * 1000) : undefined;
}

/** `all_upfront`, as the planner of commitments spells it. */
function paymentOf(payment: string | undefined): string | undefined {
  return payment
    ?.trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}
