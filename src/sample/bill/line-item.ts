import type { Day, Month } from '../../kit/time/period.ts';
import type { Cost, Quantity, UnitPrice } from './amount.ts';

/** The clouds of the sample organization. */
export type SampleProvider = 'aws' | 'azure' | 'gcp';

export interface SubAccount {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

export interface Region {
  readonly id: string;
  readonly name: string;
}

export interface Service {
  /** FOCUS ServiceName. */
  readonly name: string;
  readonly category: string;
  readonly subcategory: string;
  /** The provider's own short name, such as `AmazonEC2`. */
  readonly code: string;
}

/** A service by its FOCUS name, category and subcategory, and the provider's own short name. */
export function service(name: string, category: string, subcategory: string, code: string): Service {
  return { name, category, subcategory, code };
}

export interface Resource {
  /** Native id: an ARN or instance id, an ARM path, a full resource name. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

export interface Sku {
  /** FOCUS SkuMeter; on AWS, the usage type. */
  readonly meter: string;
  readonly description: string;
  readonly operation: string;
  /** Pricing and consumption unit. */
  readonly unit: string;
  readonly listPrice: UnitPrice;
}

/** A commitment as identified on line items. */
export interface CommitmentName {
  readonly id: string;
  readonly name: string;
  /** FOCUS CommitmentDiscountCategory: `Usage` for reservations, `Spend` for savings plans. */
  readonly category: 'Usage' | 'Spend';
  /** FOCUS CommitmentDiscountType, in the provider's terms. */
  readonly type: string;
}

/** The part of a commitment on a line item. */
export interface CommitmentUse extends CommitmentName {
  readonly status: 'Used' | 'Unused' | '';
  /** Hours of a reservation, or an amount of a savings plan in the billing currency. */
  readonly quantity: Quantity;
}

/** Creates a line item. By default, it has no region, resource, commitment or usage, and costs of 0. */
export function lineItem(
  given: Pick<LineItem, 'day' | 'month' | 'subAccount' | 'service' | 'chargeCategory' | 'chargeFrequency'> &
    Partial<LineItem>,
  description = '',
): LineItem {
  return {
    region: null,
    resource: null,
    tags: {},
    sku: { meter: '', description, operation: '', unit: '', listPrice: 0n },
    correction: false,
    pricingCategory: '',
    commitment: null,
    publisher: null,
    quantity: 0n,
    contractedPrice: 0n,
    billed: 0n,
    effective: 0n,
    list: 0n,
    contracted: 0n,
    ...given,
  };
}

/** One line of a bill, in FOCUS terms. Costs are exact. */
export interface LineItem {
  readonly day: Day;
  /** The billing month; for corrections, later than the charge they correct. */
  readonly month: Month;
  readonly subAccount: SubAccount | null;
  readonly region: Region | null;
  readonly service: Service;
  readonly resource: Resource | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly sku: Sku;
  readonly chargeCategory: 'Usage' | 'Purchase' | 'Tax' | 'Credit' | 'Adjustment';
  readonly correction: boolean;
  readonly chargeFrequency: 'Usage-Based' | 'Recurring' | 'One-Time';
  readonly pricingCategory: 'Standard' | 'Committed' | 'Dynamic' | '';
  readonly commitment: CommitmentUse | null;
  /** The seller if it is not the provider: marketplace. */
  readonly publisher: string | null;
  readonly quantity: Quantity;
  readonly contractedPrice: UnitPrice;
  readonly billed: Cost;
  readonly effective: Cost;
  readonly list: Cost;
  readonly contracted: Cost;
}
