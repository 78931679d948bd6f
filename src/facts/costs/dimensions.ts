import type { RollupDimension } from '../../engine/codebook.ts';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import { tagKeyName } from '../../kit/tag-key.ts';

/** Storage of a dimension. */
interface DimensionInfo {
  /** Description for the API documentation. */
  readonly description: string;
  /** SQL of the value over the columns of a fact file; null for charges without one. */
  readonly fact: string;
  /** Source in `cost_rollups`; null: not rolled up. */
  readonly rollup: RollupSource | null;
}

/** A column of `cost_rollups` and, for an id, the dictionary with its name. */
interface RollupSource {
  readonly column: RollupDimension | 'account_id' | 'provider' | 'charge_category';
  readonly dictionary?: { readonly table: 'services' | 'regions' | 'sub_accounts'; readonly name: string };
}

const info = {
  account: {
    description: 'Connected account, by its id',
    fact: 'x_AccountId',
    rollup: { column: 'account_id' },
  },
  sub_account: {
    description: 'FOCUS SubAccountId: AWS account, Azure subscription, Google Cloud project',
    fact: 'SubAccountId',
    rollup: { column: 'sub_account_id', dictionary: { table: 'sub_accounts', name: 'code' } },
  },
  billing_account: {
    description:
      'FOCUS BillingAccountId: AWS payer account, Azure billing account or profile, Google Cloud billing account',
    fact: 'BillingAccountId',
    rollup: null,
  },
  provider: {
    description: 'Provider slug, such as `aws`',
    fact: 'x_Provider',
    rollup: { column: 'provider' },
  },
  service: {
    description: 'FOCUS ServiceName',
    fact: 'ServiceName',
    rollup: { column: 'service_id', dictionary: { table: 'services', name: 'name' } },
  },
  service_category: {
    description: 'FOCUS ServiceCategory',
    fact: 'ServiceCategory',
    rollup: { column: 'service_id', dictionary: { table: 'services', name: 'category' } },
  },
  region: {
    description: 'FOCUS RegionId; `global` for charges without one',
    fact: 'RegionId',
    rollup: { column: 'region_id', dictionary: { table: 'regions', name: 'code' } },
  },
  availability_zone: { description: 'FOCUS AvailabilityZone', fact: 'AvailabilityZone', rollup: null },
  resource: { description: 'FOCUS ResourceId', fact: 'ResourceId', rollup: null },
  allocated_resource: {
    description: 'FOCUS AllocatedResourceId: the workload that a part of a shared resource’s cost is allocated to',
    fact: 'AllocatedResourceId',
    rollup: null,
  },
  resource_type: { description: 'FOCUS ResourceType', fact: 'ResourceType', rollup: null },
  sku: { description: 'FOCUS SkuId', fact: 'SkuId', rollup: null },
  meter: { description: 'FOCUS SkuMeter', fact: 'SkuMeter', rollup: null },
  charge_category: {
    description: 'FOCUS ChargeCategory: `usage`, `purchase`, `tax`, `credit` or `adjustment`',
    fact: 'lower(ChargeCategory)',
    rollup: { column: 'charge_category' },
  },
  pricing_category: {
    description: 'FOCUS PricingCategory, in lower case: `standard`, `dynamic`, `committed` or `other`',
    fact: 'lower(PricingCategory)',
    rollup: null,
  },
  commitment: { description: 'FOCUS CommitmentDiscountId', fact: 'CommitmentDiscountId', rollup: null },
  commitment_status: {
    description: 'FOCUS CommitmentDiscountStatus, in lower case: `used` or `unused`',
    fact: 'lower(CommitmentDiscountStatus)',
    rollup: null,
  },
  publisher: { description: 'FOCUS PublisherName', fact: 'PublisherName', rollup: null },
  invoice: { description: 'FOCUS InvoiceId', fact: 'InvoiceId', rollup: null },
  cluster: {
    description: 'Cluster of Kubernetes or Amazon ECS, from tags and split cost allocation',
    fact: 'x_Cluster',
    rollup: null,
  },
  namespace: {
    description:
      'Kubernetes namespace; `(unused)` for capacity that no container used, `(system)` for the overhead of the cluster’s nodes',
    fact: 'x_Namespace',
    rollup: null,
  },
  workload: {
    description: 'Kubernetes workload or Amazon ECS service; `(unused)` and `(system)` as for `namespace`',
    fact: 'x_Workload',
    rollup: null,
  },
} as const satisfies Record<string, DimensionInfo>;

/** A built-in dimension. */
export type DimensionName = keyof typeof info;

/** A dimension to group and filter by: a named one, a tag key, a virtual tag, or the tag keys themselves. */
export type Dimension = DimensionName | `tag:${string}` | `virtual:${string}` | 'tag';

/** All named dimensions. */
export const dimensionNames = Object.keys(info) as readonly DimensionName[];

/** Returns how a named dimension is stored. */
export function dimensionInfo(name: DimensionName): DimensionInfo {
  return info[name];
}

/** Returns the key of a tag dimension as the caller wrote it; null for other dimensions. */
export function tagKeyOf(dimension: Dimension): string | null {
  return dimension.startsWith('tag:') ? dimension.slice('tag:'.length) : null;
}

/** Returns the key of a virtual tag; null for other dimensions. */
export function virtualKeyOf(dimension: Dimension): string | null {
  return dimension.startsWith('virtual:') ? dimension.slice('virtual:'.length) : null;
}

/** Returns whether a dimension is a named one: neither a tag nor a virtual tag. */
export function isNamed(dimension: Dimension): dimension is DimensionName {
  return Object.hasOwn(info, dimension);
}

/** Returns the dimension of a `tag_key` parameter: a tag key, or `virtual:KEY` for a virtual tag. */
export function keyDimension(key: string): Dimension {
  return key.startsWith('virtual:') ? (key as Dimension) : `tag:${key}`;
}

/** Normalizes a tag key for comparison: case and the `user:` prefix of AWS are ignored. */
export function foldedTagKey(key: string): string {
  return tagKeyName(key).toLowerCase();
}

/** Returns a string that is equal for all spellings of a dimension. */
export function identityOf(dimension: Dimension): string {
  const key = tagKeyOf(dimension);
  return key === null ? dimension : `tag:${foldedTagKey(key)}`;
}

/** Returns the dimension of a tag key; null for a blank key. */
export function tagDimension(key: string): Dimension | null {
  return tagKeyName(key).trim() === '' ? null : `tag:${key}`;
}

/** Parses the REST spelling of a dimension.
 *  @param at the parameter, for the message
 *  @throws {AppError} VALIDATION_ERROR if there is no such dimension */
export function parseDimension(text: string, at: string): Dimension {
  if (text.startsWith('virtual:') && text.length > 'virtual:'.length) return text as Dimension;
  const name = dimensionNames.find((known) => known === text);
  if (name !== undefined) return name;
  const ofTag = text.startsWith('tag:') ? tagDimension(text.slice('tag:'.length)) : null;
  if (ofTag !== null) return ofTag;
  if (text === 'tag' || text.startsWith('tag:'))
    throw invalid`${arg(at, text)} lacks the key${fix}write tag:KEY, such as tag:team`;
  throw invalid`${arg(at, text)} is not a dimension${fix}use ${dimensionNames.join(', ')}, tag:KEY or virtual:KEY`;
}

const labelled: ReadonlySet<string> = new Set(['account', 'sub_account', 'region', 'resource']);

/** Returns whether the values of a dimension are ids with display names. */
export function isLabelled(dimension: string): boolean {
  return labelled.has(dimension);
}
