import { price } from './amount.ts';
import type { Region, Resource, Service, Sku, SubAccount } from './line-item.ts';
import type { Rhythm } from './rhythm.ts';

/** A daily meter: a resource, or part of one, under one SKU. */
export interface Meter {
  /** Unique within its cloud; seeds spikes and noise. */
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
  /** Yearly growth; 0.3 is 30 %. */
  readonly growth: number;
  /** Average spot price in thousandths of the list price. Null: not spot. */
  readonly spot: number | null;
  /** Key of the commitment that covers it as far as possible. */
  readonly coveredBy: string | null;
  /** Whether it is replaced each month (build nodes, batch workers), with a new resource per month. */
  readonly perMonth: boolean;
}

/** A meter as written in the catalogues; omitted fields use defaults. */
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
  /** List price per unit, decimal text. */
  readonly price: string;
  readonly perDay: number;
  readonly rhythm?: Rhythm;
  readonly growth?: number;
  readonly spot?: number;
  readonly coveredBy?: string;
  readonly perMonth?: boolean;
}

/** Creates a meter from a catalogue entry. */
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
