import { type Amount, sumAmounts } from '../../../../kit/money.ts';
import type { Context, Detector, Saving } from '../../detector.ts';
import { amountOf, numberOf, per, percentOf, perMonth, times } from '../../figures.ts';
import { hcl, sh } from '../../script.ts';
import { onDemandOf, type Subject, type Usage } from '../../subject.ts';
import { repriced } from '../repriced.ts';
import { armType } from './arm.ts';

/** Of the hot price, what the cool tier saves in percent: 0.01 instead of 0.0184 USD a GB (Azure's price list, locally
 *  redundant, US East), rounded down. */
const coolSaving = 45;
/** Of the hot price, what is set aside for reading: a tenth of the data a month at 0.01 USD a GB. */
const retrievalAllowance = 6;
/** Reads of a GB a month up to which data counts as cold. */
const fewReads = amountOf('1');

const hotData = /\bHot\b.*\bData Stored\b/i;
const reads = /\bRead Operations\b/i;
/** Reads that cost as much as keeping a GB hot for a month: 0.0184 USD against 0.0000004 (the same price list). */
const readsPerGbMonth = 46_000n;

/** Data that hardly anybody reads costs about half in the cool tier. Catalogue 67. */
export const storageHotCold: Detector = {
  type: 'azure_storage_hot_cold',
  summary: 'Storage account in the hot tier with few reads',
  provider: 'azure',
  about: 'resource',
  detect(subject, context) {
    if (armType(subject.nativeId) !== 'microsoft.storage/storageaccounts') return null;
    if (subject.metadata.hasLifecyclePolicy === true) return null;
    const usage = onDemandOf(subject, hotData).filter(({ unit }) => /^1?\s*GB\b/i.test(unit));
    const stored = sumAmounts(usage.map(({ quantity }) => quantity));
    const readsPerGb = per(readsOf(subject, usage), stored);
    if (stored <= 0n || readsPerGb > fewReads) return null;
    const cool = repriced(
      usage,
      context,
      ({ meter }) => context.prices.priceOf(subject, meter.replace(/\bHot\b/i, 'Cool')),
      coolSaving,
    );
    const savings = cool.savings.map((saving) => lessRetrieval(saving, context)).filter(({ amount }) => amount > 0n);
    if (savings.length === 0) return null;
    return {
      title: `Move ${subject.name} to the cool tier`,
      description:
        'Its data is in the hot tier and rarely read. The cool tier costs about half as much; reads, and deletion ' +
        'within 30 days, cost extra. The estimate assumes that a tenth of the data is read each month.',
      savings,
      confidence: 'medium',
      method: cool.method,
      evidence: { stored_gb_months: numberOf(stored), reads_per_gb: numberOf(readsPerGb) },
      scripts: () => [
        {
          kind: 'azure_cli',
          title: 'Make cool the default tier of the account, for blobs without their own tier',
          script: sh`az storage account update --ids=${subject.nativeId} --access-tier=Cool --yes`,
          reversible: true,
        },
        {
          kind: 'terraform',
          title:
            'Or move blobs that have not changed for 30 days; an account has one such policy, so add the rule to an ' +
            'existing one',
          script: hcl`
resource "azurerm_storage_management_policy" "cool" {
  storage_account_id = ${subject.nativeId}

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
          reversible: true,
        },
      ],
    };
  },
};

function lessRetrieval({ usage, amount }: Saving, { window }: Context): Saving {
  return { usage, amount: amount - percentOf(perMonth(usage.cost, window.days), retrievalAllowance) };
}

/** Read operations. Some bills count them in a unit that says how many it is (`10K`). Microsoft's own FOCUS files call it
 *  `Units`, which there are 10,000 operations or 100,000,000: of those only what they cost tells how many they are. */
function readsOf(subject: Subject, stored: readonly Usage[]): Amount {
  const gigabytes = sumAmounts(stored.map(({ quantity }) => quantity));
  const cost = sumAmounts(stored.map((each) => each.cost));
  return sumAmounts(
    subject.usage
      .filter(({ meter }) => reads.test(meter))
      .map((each) => {
        const unit = unitOf(each.unit);
        return unit === null ? times(per(each.cost, cost), gigabytes) * readsPerGbMonth : each.quantity * unit;
      }),
  );
}

function unitOf(unit: string): bigint | null {
  const [, count, letter] = /^(\d*)\s*([KM])\b/i.exec(unit) ?? [];
  if (letter === undefined) return null;
  return BigInt(count || '1') * (letter.toUpperCase() === 'K' ? 1000n : 1_000_000n);
}
