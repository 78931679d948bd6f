import { text } from '../graph/answers.ts';
import { bounded } from '../graph/bounded.ts';
import { builder } from '../graph/builder.ts';
import { viewerOf, type Context } from '../graph/context.ts';
import { batched } from '../graph/relations.ts';
import { readConversions, type Convertible } from './currencies.ts';
import { convertRecentCost, type RecentCost } from './month-costs.ts';
import { providersRule } from './provider.ts';

/** List filters by place. */
export const placeArgs = builder.args((t) => ({
  accountId: t.idList({ description: 'Only these connected accounts. Unknown ids match nothing.' }),
  provider: t.stringList({
    ...bounded(providersRule),
    description: 'Only these providers, as slugs: `aws`, `azure`, `gcp`, `oracle` …',
  }),
}));

/** List filters by place and service. */
export const serviceArgs = builder.args((t) => ({
  ...placeArgs,
  service: t.stringList({ description: 'Only these services: FOCUS ServiceName, as on the bill.' }),
}));

/** List filters by the target of a budget or alert rule. */
export const targetArgs = builder.args((t) => ({
  ...serviceArgs,
  subAccountId: t.stringList({ description: 'Only items with these sub-accounts in scope: FOCUS SubAccountId.' }),
  tagKey: t.string({
    description: 'Only items with this tag key in scope, ignoring case, or `virtual:KEY` for a virtual tag.',
  }),
  tagValue: t.stringList({ description: 'Only items with these tag values in scope.' }),
}));

/** List filter by state. */
export const enabledArg = builder.args((t) => ({
  enabled: t.boolean({ description: 'True: only enabled items. False: only disabled items.' }),
}));

/** Loads the conversion of a record's amounts to the organization's currency, for its field `converted`; null without a rate. */
export const conversionOf = batched((records: readonly Convertible[], ctx) =>
  readConversions(ctx.deps.pool, viewerOf(ctx).scope, records),
);

/** Converts a cost of 30 days for its field `converted`. */
export const convertedCostOf = (cost: RecentCost, ctx: Context) =>
  convertRecentCost(cost, (record) => conversionOf(record, ctx));

const nullText = 'null without a rate of that month or an earlier one.';

/** Description of `converted` for amounts of an account’s last days. */
export const convertedText = `The amounts in the organization’s currency, at the exchange rate of the month of the account’s last complete day; ${nullText}`;

/** Description of `converted` for a cost of 30 days. */
export const convertedCostText =
  'The cost in all billing currencies, converted to the organization’s currency, each month’s part at the exchange rate of the month, as in cost queries; null if a part has no rate of its month or an earlier one.';

/** Description of `converted` for amounts of a month.
 *  @param which such as `the billing month` */
export function convertedInText(which: string): string {
  return `The amounts in the organization’s currency, at the exchange rate of ${which}; ${nullText}`;
}

/** The field `currency` of converted amounts. */
export const ownCurrency = text('The organization’s currency, ISO 4217.');

/** Description of a converted amount.
 *  @param name GraphQL name of the original */
export const convertedAmountText = (name: string) =>
  `\`${name}\` in the organization’s currency, rounded to 6 decimals.`;
