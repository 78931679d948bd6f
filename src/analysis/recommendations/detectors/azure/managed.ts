import { type Amount, sumAmounts } from '../../../../kit/money.ts';
import { detectorsOf, reversible, type Context, type Found } from '../detector.ts';
import { amountOf, numberOf, per, percentOf, perMonth, smaller, times } from '../figures.ts';
import { repriced } from '../repriced.ts';
import { hcl, sh } from '../script.ts';
import { costOf, onDemandOf, shareOf, unitsOf, type Subject, type Usage } from '../subject.ts';
import { armType, unused } from './arm.ts';

/** Discounts of commitment tiers on the pay-as-you-go price, in percent, largest tier first; they also apply to data above the
 *  tier (Azure Monitor's price list). */
const logTiers = [
  { gb: 5000, percent: 30 },
  { gb: 2000, percent: 28 },
  { gb: 1000, percent: 26 },
  { gb: 500, percent: 25 },
  { gb: 400, percent: 23 },
  { gb: 300, percent: 22 },
  { gb: 200, percent: 20 },
  { gb: 100, percent: 15 },
] as const;

/** Detectors for App Service, SQL, storage accounts and Log Analytics. */
export const azureManaged = detectorsOf('azure', [
  unused({
    type: 'azure_appservice_plan_empty',
    summary: 'App Service plan without sites',
    arm: 'microsoft.web/serverfarms',
    noun: 'App Service plan',
    description: 'No site or function app runs on this plan, but its instances are still billed.',
    command: ({ nativeId }) => sh`az appservice plan delete --ids=${nativeId} --yes`,
  }),
  unused({
    type: 'azure_sql_elastic_pool_empty',
    summary: 'SQL elastic pool without databases',
    arm: 'microsoft.sql/servers/elasticpools',
    noun: 'SQL elastic pool',
    description: 'This pool contains no database, but its capacity is still billed.',
    command: ({ nativeId }) => sh`az sql elastic-pool delete --ids=${nativeId}`,
  }),
  {
    type: 'azure_loganalytics_commitment_tier',
    summary: 'Log Analytics workspace that ingests enough for a commitment tier',
    title: ({ name }, { tier_gb_a_day: tier }) => `Move ${name} to the ${tier} GB commitment tier`,
    description: (_, { gb_a_day: daily, tier_gb_a_day: tier, percent }) =>
      `This workspace ingests ${Math.floor(Number(daily))} GB per day at the pay-as-you-go price. The tier of ` +
      `${tier} GB per day costs ${percent}% less per GB, is billed in full even if it is not used up, ` +
      'and can be left after 31 days.',
    confidence: 'medium',
    method: 'factor',
    find(subject, { window }) {
      if (armType(subject.nativeId) !== 'microsoft.operationalinsights/workspaces' || window.days < 14) return null;
      const usage = onDemandOf(subject, /\b(Pay-as-you-go|Analytics Logs) Data Ingestion\b/i);
      const recent = sumAmounts(usage.map(({ recentQuantity }) => recentQuantity)) / 14n;
      // If the volume has fallen, the recent volume counts.
      const daily = smaller(unitsOf(usage) / BigInt(window.days), recent);
      const tier = logTiers.find(({ gb }) => daily >= amountOf(String(gb)));
      if (tier === undefined) return null;
      return {
        savings: shareOf(usage, tier.percent, window),
        evidence: { gb_a_day: numberOf(daily), tier_gb_a_day: tier.gb, percent: tier.percent },
        scripts: () => [
          {
            kind: 'azure_cli',
            title: 'Change the pricing tier of the workspace',
            script: sh`az monitor log-analytics workspace update --ids=${subject.nativeId} --sku=CapacityReservation --capacity-reservation-level=${tier.gb}`,
            reversible: true,
          },
        ],
      };
    },
  },
  {
    type: 'azure_storage_hot_cold',
    summary: 'Storage account in the hot tier with few reads',
    title: ({ name }) => `Move ${name} to the cool tier`,
    description:
      'Its data is in the hot tier and rarely read. The cool tier costs about half as much; reads, and deletion ' +
      'within 30 days, cost extra. The estimate assumes that a tenth of the data is read each month.',
    confidence: 'medium',
    method: 'factor',
    find: findColdStorage,
    script: reversible(
      'Make cool the default tier of the account, for blobs without their own tier',
      ({ nativeId }) => sh`az storage account update --ids=${nativeId} --access-tier=Cool --yes`,
    ),
    terraform: reversible(
      'Or move blobs that have not changed for 30 days; an account has one such policy, so add the rule to an ' +
        'existing one',
      ({ nativeId }) => hcl`
resource "azurerm_storage_management_policy" "cool" {
  storage_account_id = ${nativeId}

  rule {
    name    = "cool-after-30-days"
    enabled = true

    filters {
      blob_types = ["blockBlob"]
    }

    actions {
      base_blob {
        tier_to_cool_after_days_since_modification_greater_than = 30
      }
    }
  }
}`,
    ),
  },
]);

function findColdStorage(subject: Subject, context: Context): Found | null {
  if (armType(subject.nativeId) !== 'microsoft.storage/storageaccounts') return null;
  if (subject.metadata.hasLifecyclePolicy === true) return null;
  const usage = onDemandOf(subject, /\bHot\b.*\bData Stored\b/i).filter(({ unit }) => /^1?\s*GB\b/i.test(unit));
  const stored = unitsOf(usage);
  const readsPerGb = per(readsOf(subject, usage), stored);
  // At most one read per GB and month.
  if (stored <= 0n || readsPerGb > amountOf('1')) return null;
  const coolPriceOf = ({ meter }: Usage) => context.prices.priceOf(subject, meter.replace(/\bHot\b/i, 'Cool'));
  // 0.01 instead of 0.0184 USD per GB (Azure's price list, locally redundant, US East), rounded down.
  const cool = repriced(usage, context, coolPriceOf, 45);
  // As a share of the hot price: reading a tenth of the data per month at 0.01 USD per GB.
  const retrievalOf = ({ cost }: Usage) => percentOf(perMonth(cost, context.window.days), 6);
  return {
    savings: cool.savings
      .map((saving) => ({ usage: saving.usage, amount: saving.amount - retrievalOf(saving.usage) }))
      .filter(({ amount }) => amount > 0n),
    method: cool.method,
    evidence: { stored_gb_months: numberOf(stored), reads_per_gb: numberOf(readsPerGb) },
  };
}

/** Number of reads that cost as much as a GB-month of hot storage: 0.0184 vs. 0.0000004 USD (the same price list). */
const readsPerGbMonth = 46_000n;

/** Returns the number of read operations. Some bills have the multiple in the unit (`10K`). In Microsoft's own FOCUS files
 *  the unit is `Units`, which means 10,000 or 100,000,000 operations: there the number is derived from the cost. */
function readsOf(subject: Subject, stored: readonly Usage[]): Amount {
  const reads = subject.usage.filter(({ meter }) => /\bRead Operations\b/i.test(meter));
  return sumAmounts(
    reads.map(({ unit, cost, quantity }) => {
      const [, count, letter] = /^(\d*)\s*([KM])\b/i.exec(unit) ?? [];
      if (letter === undefined) return times(per(cost, costOf(stored)), unitsOf(stored)) * readsPerGbMonth;
      return quantity * BigInt(count || '1') * (letter.toUpperCase() === 'K' ? 1000n : 1_000_000n);
    }),
  );
}
