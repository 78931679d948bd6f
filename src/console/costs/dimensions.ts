import { useCallback } from 'react';
import { useAccountNames } from '../parts/choices/choices.tsx';
import { providerName } from '../../kit/text/provider-name.ts';
import { regionName, words } from '../words/format.ts';

/** Dimensions of the cost API with label, plural and picker section. */
const table = {
  service: ['Service', 'services', 'Service'],
  service_category: ['Service category', 'service categories', 'Service'],
  meter: ['Meter', 'meters', 'Service'],
  sku: ['SKU', 'SKUs', 'Service'],
  provider: ['Provider', 'providers', 'Location'],
  account: ['Account', 'accounts', 'Location'],
  sub_account: ['Sub-account', 'sub-accounts', 'Location'],
  billing_account: ['Billing account', 'billing accounts', 'Location'],
  region: ['Region', 'regions', 'Location'],
  availability_zone: ['Availability zone', 'availability zones', 'Location'],
  resource: ['Resource', 'resources', 'Resource'],
  allocated_resource: ['Allocated resource', 'allocated resources', 'Resource'],
  resource_type: ['Resource type', 'resource types', 'Resource'],
  cluster: ['Cluster', 'clusters', 'Container'],
  namespace: ['Namespace', 'namespaces', 'Container'],
  workload: ['Workload', 'workloads', 'Container'],
  charge_category: ['Charge category', 'charge categories', 'Price'],
  pricing_category: ['Pricing category', 'pricing categories', 'Price'],
  commitment: ['Commitment', 'commitments', 'Price'],
  commitment_status: ['Commitment status', 'commitment statuses', 'Price'],
  invoice: ['Invoice', 'invoices', 'Invoice'],
  publisher: ['Publisher', 'publishers', 'Invoice'],
} as const satisfies Record<string, readonly [label: string, plural: string, section: string]>;

/** Dimension that every bill has. */
export type NamedDimension = keyof typeof table;
/** Dimension that charges have by themselves: a named one, or the values of a tag key. */
export type ChargeDimension = NamedDimension | `tag:${string}`;
/** Dimension of the cost API; the rules of a virtual tag derive its values from the other dimensions. */
export type Dimension = ChargeDimension | `virtual:${string}`;
/** Grouping of the explorer: a dimension, or `day` for the bars of the chart. */
export type Grouping = Dimension | 'day';

/** All named dimensions, by section. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- keys of a constant
export const namedDimensions = Object.keys(table) as NamedDimension[];

/** Picker section of a dimension. */
export function sectionOf(dimension: NamedDimension): string {
  return table[dimension][2];
}

/** Whether a text names a dimension. */
export function isDimension(text: string): text is Dimension {
  return Object.hasOwn(table, text) || tagKeyIn(text) !== null || virtualKeyIn(text) !== null;
}

/** Returns the tag key of `tag:KEY`; null for other dimensions. */
export function tagKeyIn(dimension: string): string | null {
  return keyAfter('tag:', dimension);
}

/** Returns the key of the virtual tag in `virtual:KEY`; null for other dimensions. */
export function virtualKeyIn(dimension: string): string | null {
  return keyAfter('virtual:', dimension);
}

function keyAfter(kind: string, dimension: string): string | null {
  return dimension.startsWith(kind) && dimension.length > kind.length ? dimension.slice(kind.length) : null;
}

function keyIn(dimension: string): string | null {
  return tagKeyIn(dimension) ?? virtualKeyIn(dimension);
}

function namedOf(dimension: Grouping): (typeof table)[NamedDimension] | null {
  return dimension !== 'day' && keyIn(dimension) === null ? table[dimension as NamedDimension] : null;
}

/** Heading for a dimension, such as `Service`; keys of tags and virtual tags stay as they are.
 *  @param granularity of the bars, for `day` */
export function dimensionLabel(dimension: Grouping, granularity: 'daily' | 'monthly' = 'daily'): string {
  return namedOf(dimension)?.[0] ?? keyIn(dimension) ?? (granularity === 'daily' ? 'Day' : 'Month');
}

/** Name of a dimension within a sentence: `service`; SKU and keys keep their case. */
export function dimensionName(dimension: Grouping): string {
  const label = dimensionLabel(dimension);
  return namedOf(dimension) === null && dimension !== 'day'
    ? label
    : label.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
}

/** Plural of a dimension, such as `services`. */
export function dimensionPlural(dimension: Grouping): string {
  return (
    namedOf(dimension)?.[1] ??
    (dimension === 'day' ? 'days' : virtualKeyIn(dimension) === null ? 'tag values' : 'values')
  );
}

/** Whether the values of a dimension are an enum of the API. */
function isEnum(dimension: Dimension): boolean {
  return dimension === 'charge_category' || dimension === 'pricing_category' || dimension === 'commitment_status';
}

/** Formats a dimension value; null is a charge without one.
 *  @param name display name, if the API has one */
export function valueLabel(dimension: Dimension, value: string | null, name: string | null = null): string {
  if (value === null) return tagKeyIn(dimension) === null ? `No ${dimensionName(dimension)}` : 'Untagged';
  if (value === '') return '(empty)';
  if (dimension === 'provider') return providerName(value);
  if (dimension === 'region') return regionName(value);
  if (isEnum(dimension)) return words(value);
  // The last segment of an ARN or path is the familiar name.
  if (dimension === 'resource' || dimension === 'commitment') return name || (/[^/:]+$/.exec(value)?.[0] ?? value);
  return name || value;
}

/** Returns a formatter for filter values; it looks up account names, which the URL does not contain.
 *  @param dimensions of the values, if known: names are only loaded for accounts */
export function useValueLabel(
  dimensions: readonly (Dimension | null)[] = ['account'],
): (dimension: Dimension, value: string) => string {
  const accountName = useAccountNames({ pause: !dimensions.includes('account') });
  return useCallback(
    (dimension, value) => {
      const name = dimension === 'account' ? accountName(value) : null;
      return valueLabel(dimension, filterValue(value)?.replace(/\\\*$/, '*') ?? null, name);
    },
    [accountName],
  );
}

/** Filter value for charges without a value of the dimension, for example untagged charges. */
export const noValue = '(none)';

/** Escapes a literal filter value: a trailing `*` would make it a prefix, and `(none)` would match charges without a value. */
export function escaped(value: string): string {
  if (value === noValue) return `\\${value}`;
  return value.endsWith('*') ? `${value.slice(0, -1)}\\*` : value;
}

/** Converts a filter value to the GraphQL form: null matches charges without a value. */
export function filterValue(value: string): string | null {
  if (value === noValue) return null;
  return value === escaped(noValue) ? noValue : value;
}

/** Whether a filter value is a prefix. */
export function isPrefix(value: string): boolean {
  return value.endsWith('*') && !value.endsWith('\\*');
}
