/** What the costs can be split by in the explorer. */
export const groupings = ['service', 'account', 'region', 'provider', 'tag'] as const;
export type Grouping = (typeof groupings)[number];

/** How long a bar of the chart is. */
export const granularities = ['daily', 'monthly'] as const;
export type Granularity = (typeof granularities)[number];

/** Which cost is added up. */
export const metrics = ['effective', 'billed', 'list', 'contracted'] as const;
export type Metric = (typeof metrics)[number];

type OneOrMore = string | readonly string[] | null;

/** A question to the explorer of costs; what is left out is not filtered by, or stands as by default. */
export interface CostsQuestion {
  /** First and last UTC day, both included. */
  readonly from?: string | null;
  readonly to?: string | null;
  readonly granularity?: Granularity;
  readonly group?: Grouping;
  readonly metric?: Metric;
  /** Ids of connected accounts. */
  readonly account?: OneOrMore;
  /** FOCUS SubAccountId. */
  readonly subAccount?: OneOrMore;
  /** Slugs such as `aws`. */
  readonly provider?: OneOrMore;
  /** FOCUS ServiceName. */
  readonly service?: OneOrMore;
  /** FOCUS RegionId. */
  readonly region?: OneOrMore;
  /** Charge categories as the API spells them, such as `USAGE`. */
  readonly category?: OneOrMore;
  /** With `group: 'tag'` what is grouped by; otherwise what charges must carry. */
  readonly tagKey?: string | null;
  /** Values of `tagKey`. */
  readonly tagValue?: OneOrMore;
  /** Only charges without `tagKey`. */
  readonly untagged?: boolean;
}

/** The address of the explorer of costs that shows this: `costsHref({ service: 'Amazon EC2', from, to })`. */
export function costsHref(question: CostsQuestion): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(question)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const one of values) if (one) query.append(key, String(one));
  }
  const text = query.toString();
  return text === '' ? '/costs' : `/costs?${text}`;
}
