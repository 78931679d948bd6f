/** What Cost Explorer's charge types (RECORD_TYPE) are in FOCUS. */
export interface ChargeKind {
  readonly chargeCategory: 'Usage' | 'Purchase' | 'Tax' | 'Credit' | 'Adjustment';
  /** Of usage: whether a commitment covers it. */
  readonly pricingCategory: 'Standard' | 'Committed' | null;
  /** FOCUS CommitmentDiscountCategory: reservations cover usage, savings plans spend. */
  readonly commitment: 'Usage' | 'Spend' | null;
  /** Its amortized cost is what of the commitment nobody used. */
  readonly isFee: boolean;
}

const usage: ChargeKind = { chargeCategory: 'Usage', pricingCategory: 'Standard', commitment: null, isFee: false };
const reserved: ChargeKind = { ...usage, pricingCategory: 'Committed', commitment: 'Usage' };
const planned: ChargeKind = { ...usage, pricingCategory: 'Committed', commitment: 'Spend' };
const purchase: ChargeKind = { ...usage, chargeCategory: 'Purchase', pricingCategory: null };
const reservationFee: ChargeKind = { ...purchase, commitment: 'Usage', isFee: true };
const planFee: ChargeKind = { ...purchase, commitment: 'Spend', isFee: true };
const tax: ChargeKind = { ...purchase, chargeCategory: 'Tax' };
const credit: ChargeKind = { ...purchase, chargeCategory: 'Credit' };
const adjustment: ChargeKind = { ...purchase, chargeCategory: 'Adjustment' };

// In lower case without spaces: AWS spells some as words and some as names, and has spelled them otherwise before. What a
// savings plan covers stands there at its on-demand price, and once more negated: together nothing, as it is billed.
const known: readonly (readonly [RegExp, ChargeKind])[] = [
  [/^savingsplans?(coveredusage|negation)$/, planned],
  [/^(discountedusage|reservationappliedusage)$/, reserved],
  [/^savingsplans?recurringfee$/, planFee],
  [/^(rifee|recurring|recurringreservationfee)$/, reservationFee],
  [
    /^(savingsplans?upfrontfee|upfront|upfrontreservationfee|fee|support|supportfee|subscription|other|otheroutofcyclecharges)$/,
    purchase,
  ],
  [/^(tax|salestax)$/, tax],
  [/^(credit|refund|sppcredit)$/, credit],
  [/discount$/, adjustment],
];

/** @param recordType as Cost Explorer spells it: `Usage`, `Enterprise Discount Program Discount`. What is not known is usage. */
function chargeKind(recordType: string): ChargeKind {
  const folded = recordType.toLowerCase().replaceAll(/[^a-z]/g, '');
  return known.find(([pattern]) => pattern.test(folded))?.[1] ?? usage;
}

/** Record types by what they are, so that each kind is asked for once. */
export function byKind(recordTypes: readonly string[]): Map<ChargeKind, string[]> {
  const kinds = new Map<ChargeKind, string[]>();
  for (const recordType of recordTypes) {
    const kind = chargeKind(recordType);
    kinds.set(kind, [...(kinds.get(kind) ?? []), recordType]);
  }
  return kinds;
}
