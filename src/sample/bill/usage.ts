import type { Day, Month } from '../../kit/time/period.ts';
import { type Cost, type Quantity, price, quantity, thousandths } from './amount.ts';
import type { Cloud } from './cloud.ts';
import { type Commitment, useOf } from './commitment.ts';
import { type LineItem, lineItem, type Resource } from './line-item.ts';
import type { Meter } from './meter.ts';
import { chance, hexOf } from '../random.ts';
import { usageFactor } from './rhythm.ts';

/** A day within a month's bill. */
export interface BillDay {
  readonly day: Day;
  readonly month: Month;
  /** Share of the day's usage that the provider has reported, in thousandths. */
  readonly reported: number;
}

/** Remaining amount of a commitment on the day. */
interface Cover {
  readonly commitment: Commitment;
  left: Cost;
}

/** The usage of a day with commitments applied in meter order, followed by unused commitment. */
export function usageOf(cloud: Cloud, on: BillDay & { spikes: ReadonlyMap<string, number> }): LineItem[] {
  const covers = new Map(
    cloud.commitments.map((commitment) => [commitment.key, { commitment, left: committedOn(commitment, on.reported) }]),
  );
  const items = cloud.meters.flatMap((meter) => {
    const used = quantityOf(meter, on, on.spikes.get(`${meter.name} ${on.day}`) ?? 1);
    const cover = meter.coveredBy === null ? undefined : covers.get(meter.coveredBy);
    return used <= 0n ? [] : charge(cloud, { meter, on, used }, cover);
  });
  const unused = [...covers.values()].filter((cover) => cover.left > 0n).map((cover) => unusedItem(cloud, on, cover));
  return [...items, ...unused];
}

/** Cost of a commitment for the reported part of a day. */
export function committedOn(commitment: Commitment, reported: number): Cost {
  return thousandths(price(commitment.perDay) * 10_000n, reported);
}

function quantityOf(meter: Meter, { day, reported }: BillDay, spike: number): Quantity {
  return thousandths(
    quantity(meter.perDay * usageFactor(meter.name, day, meter.rhythm, meter.growth) * spike),
    reported,
  );
}

interface Use {
  readonly meter: Meter;
  readonly on: BillDay;
  readonly used: Quantity;
}

function charge(cloud: Cloud, use: Use, cover: Cover | undefined): LineItem[] {
  if (!cover) return [paidItem(cloud, use)];
  const rate = thousandths(use.meter.sku.listPrice, cover.commitment.rate);
  const most = cover.left / rate;
  const covered = use.used < most ? use.used : most;
  const rest = use.used - covered;
  const items: LineItem[] = [];
  if (covered > 0n) {
    cover.left -= covered * rate;
    items.push({ ...paidItem(cloud, { ...use, used: covered }), ...coveredBy(cover.commitment, covered * rate) });
  }
  return rest > 0n ? [...items, paidItem(cloud, { ...use, used: rest })] : items;
}

function coveredBy(commitment: Commitment, effective: Cost): Partial<LineItem> {
  return { pricingCategory: 'Committed', commitment: useOf(commitment, effective, 'Used'), billed: 0n, effective };
}

function paidItem(cloud: Cloud, { meter, on, used }: Use): LineItem {
  const { listPrice } = meter.sku;
  // Spot prices vary by a tenth around their mean, with one price per day and meter.
  const share =
    meter.spot === null ? cloud.discount : Math.round(meter.spot * (0.9 + chance('spot', meter.name, on.day) / 5));
  const contractedPrice = thousandths(listPrice, share);
  const cost = used * contractedPrice;
  return lineItem({
    day: on.day,
    month: on.month,
    subAccount: meter.subAccount,
    region: meter.region,
    service: meter.service,
    resource: meter.resource && meter.perMonth ? remade(meter.resource, on.month) : meter.resource,
    tags: meter.tags,
    sku: meter.sku,
    chargeCategory: 'Usage',
    chargeFrequency: 'Usage-Based',
    pricingCategory: meter.spot === null ? 'Standard' : 'Dynamic',
    quantity: used,
    contractedPrice,
    billed: cost,
    effective: cost,
    list: used * listPrice,
    contracted: cost,
  });
}

function remade(resource: Resource, month: Month): Resource {
  const mark = hexOf(`${resource.id} ${month}`, 8);
  return { ...resource, id: `${resource.id}${mark}`, name: `${resource.name}-${mark.slice(0, 5)}` };
}

/** Unused commitment has no resource and is charged to the payer account. */
function unusedItem(cloud: Cloud, on: BillDay, { commitment, left }: Cover): LineItem {
  return lineItem(
    {
      day: on.day,
      month: on.month,
      subAccount: cloud.payer,
      region: commitment.region,
      service: commitment.service,
      chargeCategory: 'Usage',
      chargeFrequency: 'Usage-Based',
      pricingCategory: 'Committed',
      commitment: useOf(commitment, left, 'Unused'),
      effective: left,
    },
    `Unused: ${commitment.description}`,
  );
}
