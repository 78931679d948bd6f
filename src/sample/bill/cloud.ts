import type { Commitment } from './commitment.ts';
import type { SampleProvider, Resource, Service, SubAccount } from './line-item.ts';
import type { Meter } from './meter.ts';
import type { Spike } from './spikes.ts';

/** A monthly charge that does not depend on usage: support, marketplace, tax, credits, refunds. */
export interface MonthlyCharge {
  /** Day of the month; `last`: posted when the month is complete. */
  readonly on: number | 'last';
  /** Charged in months whose number (12 × year + month) is divisible by this; 1: every month. */
  readonly every: number;
  readonly chargeCategory: 'Usage' | 'Purchase' | 'Tax' | 'Credit' | 'Adjustment';
  /** Decimal text, or thousandths of the sub-account's bill for the month. */
  readonly amount: string | { readonly ofBilled: number };
  /** Corrects a charge of the previous month: its charge date is the 12th of that month. */
  readonly corrects?: true;
  readonly subAccount: SubAccount | null;
  readonly service: Service;
  readonly resource?: Resource;
  readonly tags?: Readonly<Record<string, string>>;
  readonly publisher?: string;
  readonly description: string;
}

/** One cloud of the sample organization: its meters and how it bills. */
export interface Cloud {
  readonly provider: SampleProvider;
  /** FOCUS ProviderName and, unless a line item overrides it, PublisherName. */
  readonly providerName: string;
  readonly invoiceIssuer: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly billingAccount: { readonly id: string; readonly name: string; readonly type: string };
  /** Pays for charges without a sub-account: commitments and support. */
  readonly payer: SubAccount | null;
  readonly meters: readonly Meter[];
  readonly commitments: readonly Commitment[];
  readonly monthly: readonly MonthlyCharge[];
  /** Negotiated prices in thousandths of list prices. */
  readonly discount: number;
  /** A spike besides those of the calendar. */
  readonly spike?: Spike;
}
