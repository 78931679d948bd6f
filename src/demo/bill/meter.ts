import { price } from './amount.ts';
import type { Region, Resource, Service, Sku, SubAccount } from './line-item.ts';
import type { Rhythm } from './rhythm.ts';

/** Something that is metered every day: a resource, or a part of it, under one SKU. */
export interface Meter {
  /** Unique in its cloud; spikes and noise go by it. */
  readonly name: string;
  readonly subAccount: SubAccount;
  readonly region: Region;
  readonly service: Service;
  readonly resource: Resource | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly sku: Sku;
  /** Units on an ordinary working day. */
  readonly perDay: number;
  readonly rhythm: Rhythm;
  /** 0.3: 30 % more after a year. */
  readonly growth: number;
  /** Spot market: thousandths of the list price paid, on average. Null: not spot. */
  readonly spot: number | null;
  /** Key of the commitment that covers it as far as it goes. */
  readonly coveredBy: string | null;
  /** Replaced by a new one each month (build nodes, batch workers): its resource is made per month. */
  readonly perMonth: boolean;
}

/** A meter as the catalogues write it down; what is left out is the ordinary case. */
export interface MeterInput {
  readonly name: string;
  readonly at: { readonly subAccount: SubAccount; readonly region: Region };
  readonly service: Service;
  readonly resource?: Resource;
  readonly tags?: Readonly<Record<string, string>>;
  /** FOCUS SkuMeter. */
  readonly meter: string;
  readonly description: string;
  readonly operation?: string;
  readonly unit: string;
  /** List price of a unit, decimal text. */
  readonly price: string;
  readonly perDay: number;
  readonly rhythm?: Rhythm;
  readonly growth?: number;
  readonly spot?: number;
  readonly coveredBy?: string;
  readonly perMonth?: boolean;
}

/** A meter from a line of a catalogue. */
export function meterOf(input: MeterInput): Meter {
  return {
    name: input.name,
    subAccount: input.at.subAccount,
    region: input.at.region,
    service: input.service,
    resource: input.resource ?? null,
    tags: input.tags ?? {},
    sku: {
      meter: input.meter,
      description: input.description,
      operation: input.operation ?? '',
      unit: input.unit,
      listPrice: price(input.price),
    },
    perDay: input.perDay,
    rhythm: input.rhythm ?? 'steady',
    growth: input.growth ?? 0,
    spot: input.spot ?? null,
    coveredBy: input.coveredBy ?? null,
    perMonth: input.perMonth ?? false,
  };
}
