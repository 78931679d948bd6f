import type { Caller } from './tools/tool.ts';
import { fit } from './fit.ts';
import { pageOf } from './output.ts';
import { account, accountWithin } from './tools/accounts.ts';

/** A resource that a user or client can attach to a conversation. */
export interface Resource {
  readonly uri: `costkeep://${string}`;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: 'text/markdown' | 'application/json';
  /** Returns its text.
   *  @throws {ApiFailure} */
  read(caller: Caller): Promise<string>;
}

const text = `# Cost terms, as Costkeep uses them

Terms follow FOCUS, the FinOps Open Cost and Usage Specification. Days are UTC days and ranges include both ends. Amounts are next to their \`currency\` and have at most 6 decimals; the parts of a response add up to its total.

## Which cost
- **Effective cost** (\`cost_metric: effective\`, the default; FOCUS EffectiveCost): cost of usage after all discounts, with commitments and other purchases **amortized**: spread over the days and usage that they cover. Use it for the cost of a service, team or resource.
- **Billed cost** (\`billed\`; BilledCost): cost as invoiced, on the day of the charge. A prepaid commitment is one large purchase. Use it for invoices and cash flow.
- **List cost** (\`list\`; ListCost): the same usage at public prices, without any discount.
- **Contracted cost** (\`contracted\`; ContractedCost): at negotiated prices, without commitments. List minus contracted cost is the negotiated discount; contracted minus effective cost is the saving from commitments.
- **Charge category** (\`usage\`, \`purchase\`, \`tax\`, \`credit\`, \`adjustment\`): the kind of charge. Credits and refunds are negative.
- **Unconverted**: costs in a currency without an exchange rate for their month or an earlier one. They are excluded from all other figures until the rate is set.

## Scope
- **Account**: a cloud account, billing account or FOCUS export connected to Costkeep; \`account_id\` takes its id. **Sub-account**: an account, subscription or project on its bill.
- **Provider**: the seller, as a slug (\`aws\`, \`azure\`, \`gcp\`, …). **Service** and **service category**: FOCUS ServiceName and ServiceCategory (such as Compute, Storage, Databases).
- **Region**: FOCUS RegionId; \`global\` for charges without one. **Untagged**: charges without a tag key, shown as the value null.
- A token has the account access of its user: totals cover these accounts only.

## Freshness
- **complete_through**: the last day with complete costs for all accounts in the response. Costs of later days can still increase: do not read them as a decrease. **as_of**: the time of the request.
- **Comparison with the previous period**: a range that begins on the 1st is compared with the same days one or more months before, any other range with the same number of days immediately before; only days with complete costs count.
- **Partial** month: the current month, or a month with incomplete costs.

## Anomalies
- **Expected cost**: the usage cost of a service predicted from the days before. **Impact**: actual minus expected cost over the days of the anomaly, in the billing currency; both exclude taxes, credits and purchases.
- **Severity** (\`low\` to \`critical\`): by the amount and by the excess over the expected cost. Status: \`open\`, \`acknowledged\`, \`resolved\`.

## Savings
- **Estimated monthly savings**: per month of 30.4375 days, of on-demand, spot and unused commitment spend only; savings do not overlap. **Realized**: the saving measured on the bill since the recommendation was applied.
- **Status**: \`open\`, \`in_progress\`, \`applied\`, \`archived\`. A **snoozed** recommendation is hidden from lists until its snooze ends.

## Commitments
- **Commitment**: usage or spend committed for one or three years in return for a lower price: reservations, savings plans, committed use discounts.
- **Eligible cost**: on-demand cost of the usage that commitments cover or could cover. **Coverage**: the covered part of it, in percent.
- **Utilization**: the used part of the cost of the commitments, in percent. **Unused commitment cost**: the unused part.
- **On demand**: usage at the price without a commitment. **Spot**: spare capacity that the provider can reclaim.
- **Break-even**: months of usage whose on-demand cost equals the cost of the whole term.

## Forecasts and budgets
- **Forecast**: expected effective cost of the 60 days after the last complete one; in 80 of 100 cases the cost lies between \`lower_80\` and \`upper_80\`, in 95 of 100 between \`lower_95\` and \`upper_95\`. \`low_history\`: too few days of history for a reliable forecast.
- **MAPE**: mean absolute percentage error of the forecasts of past months.
- **Budget**: an amount for each calendar month, quarter or year. \`ok\`; \`warning\`: an alert threshold is reached; \`exceeded\`: 100% is reached.
`;

/** Glossary of the terms used in responses. */
export const glossary: Resource = {
  uri: 'costkeep://glossary',
  name: 'glossary',
  title: 'Cost glossary',
  description: 'Terms and figures of the tools: effective and billed cost, amortization, coverage, impact and so on.',
  mimeType: 'text/markdown',
  read: () => Promise.resolve(text),
};

/** Maximum page size of the API; more accounts are of no use in a conversation. */
const most = 100;

/** The caller's accounts. */
const accounts: Resource = {
  uri: 'costkeep://accounts',
  name: 'accounts',
  title: 'Cloud accounts',
  description: 'The cloud accounts in the scope of the token: ids, which days have data, and whether their syncs work.',
  mimeType: 'application/json',
  read: async ({ api, now }) => {
    const query = { status: ['connected', 'disconnected'], sort_by: 'name', per_page: most };
    const { data, pagination } = await api.get('/accounts', query, pageOf(account));
    const answer = fit((limits) => ({
      as_of: now.toISOString(),
      total: pagination.total,
      accounts: data.map((one) => accountWithin(one, limits, now)),
    }));
    return JSON.stringify(pagination.total > data.length ? { ...answer, truncated: true } : answer);
  },
};

/** All resources, in the order clients show them. */
export const resources: readonly Resource[] = [glossary, accounts];
