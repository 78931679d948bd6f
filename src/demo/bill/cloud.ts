import type { Commitment } from './commitment.ts';
import type { DemoProvider, Resource, Service, SubAccount } from './line-item.ts';
import type { Meter } from './meter.ts';

/** A charge that comes by the month and not by use: support, marketplace, tax, credits, refunds. */
export interface MonthlyCharge {
  readonly name: string;
  /** Day of the month; `last`: posted when the month is complete. */
  readonly on: number | 'last';
  /** Months whose number (12 × year + month) leaves 0 when divided by it; 1: every month. */
  readonly every: number;
  readonly chargeCategory: 'Usage' | 'Purchase' | 'Tax' | 'Credit' | 'Adjustment';
  /** Decimal text, or thousandths of what the sub-account was billed in the month. */
  readonly amount: string | { readonly ofBilled: number };
  /** Corrects a charge of the month before: its charge day lies there, 12 days into it. */
  readonly corrects?: true;
  readonly subAccount: SubAccount | null;
  readonly service: Service;
  readonly resource?: Resource;
  readonly tags?: Readonly<Record<string, string>>;
  readonly publisher?: string;
  readonly description: string;
}

/** One cloud of the sample organization: what is metered there and how it is billed. */
export interface Cloud {
  readonly provider: DemoProvider;
  /** FOCUS ProviderName and, unless a line item says otherwise, PublisherName. */
  readonly providerName: string;
  readonly invoiceIssuer: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly billingAccount: { readonly id: string; readonly name: string; readonly type: string };
  /** Bears what no sub-account does: commitments and support. */
  readonly payer: SubAccount | null;
  readonly meters: readonly Meter[];
  readonly commitments: readonly Commitment[];
  readonly monthly: readonly MonthlyCharge[];
  /** Negotiated prices, in thousandths of list prices. */
  readonly discount: number;
}
