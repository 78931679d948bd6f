import type { Resource } from './resource.ts';

const text = `# Cost terms, as Costkeep uses them

Terms follow FOCUS, the FinOps Open Cost and Usage Specification. Days are UTC days and ranges include both ends. Money stands beside its \`currency\` and has at most 6 decimals; the parts of an answer add up to its total.

## Which cost
- **Effective cost** (\`cost_metric: effective\`, the default; FOCUS EffectiveCost): what usage cost after all discounts, with commitments and other purchases **amortized**: spread over the days and usage that they cover. Use it to ask what something costs.
- **Billed cost** (\`billed\`; BilledCost): what the invoice has, on the day it was charged. A commitment paid ahead is one large purchase. Use it to check invoices and cash.
- **List cost** (\`list\`; ListCost): the same usage at public prices, without any discount.
- **Contracted cost** (\`contracted\`; ContractedCost): at negotiated prices, without commitments. List less contracted is what was negotiated; contracted less effective is what commitments saved.
- **Charge category** (\`usage\`, \`purchase\`, \`tax\`, \`credit\`, \`adjustment\`): what kind of charge it is. Credits and refunds are negative.
- **Unconverted**: costs in a currency without an exchange rate for their month. No other figure holds them until somebody enters the rate.

## Whose cost
- **Account**: a cloud account, billing account or FOCUS export that is connected here; its id is what \`account_id\` takes. **Sub-account**: an account, subscription or project on its bill.
- **Provider**: who sold it, as a slug (\`aws\`, \`azure\`, \`gcp\`, …). **Service** and **service category**: FOCUS ServiceName and ServiceCategory (such as Compute, Storage, Databases).
- **Region**: FOCUS RegionId; \`global\` for charges without one. **Untagged**: charges without a tag key, shown as the value null.
- A token sees the accounts that its user may see: totals are those of these accounts.

## How fresh
- **complete_through**: the last day whose costs have all arrived, of all accounts in the answer. Later days still grow: do not read a fall into them. **as_of**: when the question was asked.
- **Comparison with the period before**: from the first of a month on with the same days one or more months before, otherwise with as many days just before; only days with complete costs count.
- **Partial** month: one that runs, or whose costs have not all arrived.

## Anomalies
- **Expected cost**: what the days before let expect of a service's usage. **Impact**: actual less expected cost over the days of the anomaly, in the currency it is billed in; taxes, credits and purchases are in neither.
- **Severity** (\`low\` to \`critical\`): by the money and by how far beyond the expectation it was. Status: \`open\`, \`acknowledged\`, \`resolved\`.

## Savings
- **Estimated monthly savings**: per month of 30.4375 days, of on-demand spend alone; no two recommendations hold the same money. **Realized**: what the bill shows since one was applied.
- **Status**: \`open\`, \`in_progress\`, \`applied\`, \`archived\`. A **snoozed** one is left out of lists until its day.

## Commitments
- **Commitment**: usage or spend that is promised for one or three years for a lower price: reservations, savings plans, committed use discounts.
- **Eligible cost**: what the usage that commitments cover or could cover would cost on demand. **Coverage**: the part of it that they cover, in percent.
- **Utilization**: how much of what the commitments cost was used, in percent. **Unused commitment cost**: the rest: paid for, used by nothing.
- **On demand**: usage at the price without a commitment. **Spot**: spare capacity that the provider may take back.
- **Break-even**: the month in which a commitment has saved what was paid ahead for it.

## Looking ahead
- **Forecast**: expected effective cost of the 60 days after the last complete one; in 80 of 100 cases the cost lies between \`lower_80\` and \`upper_80\`, in 95 of 100 between \`lower_95\` and \`upper_95\`. \`low_history\`: too few days to rely on it.
- **MAPE**: by how many percent the forecasts of past months were off, on the average.
- **Budget**: an amount for each calendar month. \`ok\`; \`warning\`: an alert threshold is reached; \`exceeded\`: 100 % is.
`;

/** What the words of the other answers mean. */
export const glossary: Resource = {
  uri: 'costkeep://glossary',
  name: 'glossary',
  title: 'Cost glossary',
  description:
    'What the words and figures of the tools mean: effective and billed cost, amortization, coverage, impact and so on.',
  mimeType: 'text/markdown',
  read: () => Promise.resolve(text),
};
