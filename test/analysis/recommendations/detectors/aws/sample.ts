import { priceBook, type PriceRow } from '../../../../../src/analysis/recommendations/detectors/prices.ts';
import { meterName } from '../../../../../src/analysis/recommendations/evaluation/read-store.ts';
import type { PricingKind } from '../../../../../src/engine/codebook.ts';
import type { Subject, Usage } from '../../../../../src/analysis/recommendations/detectors/subject.ts';
import type { Context } from '../../../../../src/analysis/recommendations/detectors/detector.ts';
import { aws } from '../../../../../src/sample/aws/cloud.ts';
import { billOf } from '../../../../../src/sample/bill/bill.ts';
import type { LineItem } from '../../../../../src/sample/bill/line-item.ts';
import { listingOf } from '../../../../../src/sample/inventory/listing.ts';
import { parseMetadata } from '../../../../../src/facts/inventory/metadata.ts';
import { instantOf } from '../../../../../src/kit/time/period.ts';
import { aSubject, aUsage } from '../../subject.ts';

const today = '2026-11-21';
const dataFrom = '2025-11-01' as const;
const window = { start: '2026-10-21', end: '2026-11-20', days: 30 } as const;
const items = (['2026-10', '2026-11'] as const)
  .flatMap((month) => billOf(aws, month, today))
  .filter(({ chargeCategory, correction }) => chargeCategory === 'Usage' && !correction)
  .filter(({ day }) => day >= window.start && day < window.end);

function kindOf({ pricingCategory, commitment }: LineItem): PricingKind {
  if (pricingCategory === 'Dynamic') return 'spot';
  if (commitment === null) return 'on_demand';
  return commitment.category === 'Spend' ? 'savings_plan' : 'reserved';
}

const sum = (rows: readonly LineItem[], of: 'quantity' | 'effective') =>
  rows.reduce((total, row) => total + row[of], 0n);
const quantityOf = (rows: readonly LineItem[]) => sum(rows, 'quantity') * 10n ** 20n;
const costOf = (rows: readonly LineItem[]) => sum(rows, 'effective') * 10n ** 12n;

function usagesOf(rows: readonly LineItem[]): Usage[] {
  const groups = Map.groupBy(rows, (row) => `${row.sku.meter} ${kindOf(row)}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { sku, service } = first;
    return {
      ...aUsage({ kind: kindOf(first), unit: sku.unit, service: service.name, description: sku.description }),
      meter: meterName('aws', sku.meter, sku.description),
      quantity: quantityOf(group),
      weekendQuantity: quantityOf(group.filter(({ day }) => instantOf(day).getUTCDay() % 6 === 0)),
      recentQuantity: quantityOf(group.filter(({ day }) => day >= '2026-11-06')),
      cost: costOf(group),
      days: new Set(group.map(({ day }) => day)).size,
    };
  });
}

const listing = new Map(listingOf(aws, today).map((each) => [each.nativeId, each]));

/** Every AWS resource on the sample's bill of the last 30 days, with its inventory metadata. */
export const sampleSubjects: readonly Subject[] = [...Map.groupBy(items, ({ resource }) => resource?.id ?? '')].flatMap(
  ([nativeId, rows]) => {
    const [first] = rows;
    if (!first?.resource || !first.region || !first.subAccount) return [];
    const { name, type } = first.resource;
    const place = { service: first.service.name, region: first.region.id, subAccount: first.subAccount.id };
    const known = { tags: first.tags, metadata: parseMetadata(listing.get(nativeId)?.metadata), firstSeen: dataFrom };
    return { ...aSubject({ id: nativeId, nativeId, name, type, ...place, ...known }), usage: usagesOf(rows) };
  },
);

function prices(): PriceRow[] {
  const paid = items.filter((item) => kindOf(item) === 'on_demand');
  const groups = Map.groupBy(paid, ({ region, service, sku }) => [region?.id, service.name, sku.meter].join(' '));
  return [...groups.values()].flatMap((rows) => {
    const [first] = rows;
    if (!first?.region) return [];
    const { service, region, sku } = first;
    const meter = meterName('aws', sku.meter, sku.description);
    const market = { provider: 'aws', region: region.id, currency: 'USD' };
    return { ...market, service: service.name, meter, unit: sku.unit, quantity: quantityOf(rows), cost: costOf(rows) };
  });
}

/** The detectors' context for the sample. */
export const sampleContext: Context = { window, dataFrom, prices: priceBook(prices()) };
