/** What a commitment is to: an amount of a resource (FOCUS CommitmentDiscountCategory `Usage`) or of money (`Spend`). */
export type CommitmentKind = 'reserved' | 'savings_plan';

/** How a commitment is paid: AWS calls the first three so, Azure knows the last two, Google `monthly` alone. */
export type CommitmentPayment = 'no_upfront' | 'partial_upfront' | 'all_upfront' | 'monthly' | 'upfront';

/** A way to buy into a program. */
export interface Offer {
  readonly termMonths: 12 | 36;
  readonly payment: CommitmentPayment;
  /** Off the on-demand price, between 0 and 1. */
  readonly discount: number;
}

/** A kind of commitment and the usage that it covers. */
export interface Program {
  readonly id: string;
  /** Slug of the provider on the bill. */
  readonly provider: string;
  readonly kind: CommitmentKind;
  /** The provider's name for it. */
  readonly product: string;
  /** FOCUS ServiceName, or what stands in for it. As the other two, a regular expression, whatever the case, that JavaScript
   *  and DuckDB read alike. */
  readonly service: string;
  /** FOCUS SkuMeter of what it covers. What it captures, if anything, is the pool: usage that one commitment can be shared by. */
  readonly meter: string;
  /** What it is bound to beside, by what service or description of a charge it captures: a database engine. */
  readonly variant?: string;
  /** What of these it does not cover. */
  readonly except?: string;
  /** True: bought for one region. */
  readonly isRegional: boolean;
  /** True: where a bill names no meters (FOCUS before 1.2), what it meters by the hour is what the program covers. */
  readonly byTheHour: boolean;
  readonly offers: readonly Offer[];
}

/** Percent off the on-demand price, by payment. */
export type Discounts = Partial<Record<CommitmentPayment, number>>;

/** The offers of a program, from its discounts in percent. */
export function offersOf(oneYear: Discounts, threeYears: Discounts): Offer[] {
  const of = (termMonths: 12 | 36, discounts: Discounts) =>
    payments.flatMap((payment) => {
      const percent = discounts[payment];
      return percent === undefined ? [] : [{ termMonths, payment, discount: percent / 100 }];
    });
  return [...of(12, oneYear), ...of(36, threeYears)];
}

/** What is paid first comes last. */
export const payments = ['no_upfront', 'monthly', 'partial_upfront', 'all_upfront', 'upfront'] as const;
