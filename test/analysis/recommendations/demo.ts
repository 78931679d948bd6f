import type { Context } from '../../../src/analysis/recommendations/detectors/detector.ts';
import { priceBook } from '../../../src/analysis/recommendations/detectors/prices.ts';
import { meterName } from '../../../src/analysis/recommendations/evaluation/read-store.ts';
import type { Subject, Usage } from '../../../src/analysis/recommendations/detectors/subject.ts';
import { billOf } from '../../../src/sample/bill/bill.ts';
import type { Cloud } from '../../../src/sample/bill/cloud.ts';
import type { LineItem } from '../../../src/sample/bill/line-item.ts';
import { listingOf } from '../../../src/sample/inventory/listing.ts';
import { parseMetadata } from '../../../src/facts/inventory/metadata.ts';
import { sumAmounts } from '../../../src/kit/money.ts';
import { addDays, instantOf } from '../../../src/kit/time/period.ts';
import { window } from './subject.ts';

// The sample's bill and listing as the engine would read them from the database on 2026-11-21.

const today = '2026-11-21';
/** Converts the sample's 10^-4 to the engine's 10^-24. */
const quantityUnit = 10n ** 20n;
const costUnit = 10n ** 12n;

/** The sample's resources of a cloud, and the detectors' context. */
export function demoSubjects(cloud: Cloud): { subjects: Subject[]; context: Context } {
  const months = [...new Set([window.start.slice(0, 7), today.slice(0, 7)])] as `${number}-${number}`[];
  const items = months
    .flatMap((month) => billOf(cloud, month, today))
    .filter(({ day, chargeCategory, correction }) => {
      return chargeCategory === 'Usage' && !correction && day >= window.start && day < window.end;
    });
  const listing = new Map(listingOf(cloud, today).map((listed) => [listed.nativeId, listed]));
  const resources = Map.groupBy(items, ({ resource }) => resource?.id ?? '');
  resources.delete('');
  const subjects = [...resources].map(([nativeId, own]): Subject => {
    const [first] = own;
    if (!first?.resource) throw new Error(`No resource: ${nativeId}`);
    return {
      about: 'resource',
      id: nativeId,
      provider: cloud.provider,
      nativeId,
      name: first.resource.name,
      type: first.resource.type,
      service: first.service.name,
      region: first.region?.id ?? '',
      subAccount: first.subAccount?.id ?? '',
      currency: cloud.currency,
      unconverted: null,
      tags: first.tags,
      metadata: parseMetadata(listing.get(nativeId)?.metadata),
      isListed: listing.has(nativeId),
      firstSeen: '2025-11-01',
      isGone: false,
      commitmentType: '',
      usage: usagesOf(cloud, own),
    };
  });
  return { subjects, context: { window, dataFrom: '2025-11-01', prices: pricesOf(cloud, items) } };
}

function usagesOf(cloud: Cloud, items: readonly LineItem[]): Usage[] {
  const groups = Map.groupBy(items, (item) => [item.sku.meter, item.sku.description, kindOf(item)].join('\n'));
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    return [
      {
        meter: meterName(cloud.provider, first.sku.meter, first.sku.description),
        description: first.sku.description,
        service: first.service.name,
        kind: kindOf(first),
        unit: first.sku.unit,
        quantity: quantityOf(own),
        weekendQuantity: quantityOf(own.filter(({ day }) => instantOf(day).getUTCDay() % 6 === 0)),
        recentQuantity: quantityOf(own.filter(({ day }) => day >= addDays(window.end, -14))),
        cost: costOf(own),
        days: new Set(own.map(({ day }) => day)).size,
        hasEnded: false,
      },
    ];
  });
}

function pricesOf(cloud: Cloud, items: readonly LineItem[]) {
  return priceBook(
    items
      .filter((item) => kindOf(item) === 'on_demand')
      .map((item) => ({
        provider: cloud.provider,
        region: item.region?.id ?? '',
        currency: cloud.currency,
        meter: meterName(cloud.provider, item.sku.meter, item.sku.description),
        service: item.service.name,
        unit: item.sku.unit,
        quantity: quantityOf([item]),
        cost: costOf([item]),
      })),
  );
}

function kindOf({ pricingCategory, commitment }: LineItem): Usage['kind'] {
  if (commitment) return commitment.category === 'Usage' ? 'reserved' : 'savings_plan';
  return pricingCategory === 'Dynamic' ? 'spot' : 'on_demand';
}

function quantityOf(items: readonly LineItem[]) {
  return sumAmounts(items.map(({ quantity }) => quantity * quantityUnit));
}

function costOf(items: readonly LineItem[]) {
  return sumAmounts(items.map(({ effective }) => effective * costUnit));
}
