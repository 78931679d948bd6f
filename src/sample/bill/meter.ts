import { z } from 'zod';
import { tagsFrom } from '../inventory/tags.ts';
import { price } from './amount.ts';
import type { Region, Resource, Service, Sku, SubAccount } from './line-item.ts';
import { rhythms, type Rhythm } from './rhythm.ts';
import { entryOf, readTable } from './table.ts';

/** Average days per month; storage is priced per month. */
export const daysPerMonth = 30.4375;

/** Kinds of waste that the sample contains for its recommendations to find. */
const wasteKinds = [
  'unattached_disk',
  'old_volume_type',
  'old_snapshot',
  'idle_address',
  'idle_nat_gateway',
  'idle_load_balancer',
  'previous_generation',
  'nonproduction_always_on',
  'nonproduction_high_availability',
  'extended_support',
  'burst_credits',
  'never_read_storage',
  'empty_plan',
] as const;

/** A kind of known waste. */
export type WasteKind = (typeof wasteKinds)[number];

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
  /** Yearly growth; 0.3 is 30%. */
  readonly growth: number;
  /** Average spot price in thousandths of the list price. Null: not spot. */
  readonly spot: number | null;
  /** Key of the commitment that covers it as far as possible. */
  readonly coveredBy: string | null;
  /** Whether it is replaced each month (build nodes, batch workers), with a new resource per month. */
  readonly perMonth: boolean;
  /** Kinds of waste of the resource; if it has several meters, stated on one of them. */
  readonly waste: readonly WasteKind[];
}

/** A row of `meters.tsv`. */
const row = z.object({
  name: z.string().min(1),
  /** Keys of the cloud's places and services. */
  place: z.string(),
  service: z.string(),
  resourceType: z.string(),
  /** Empty: no resource. */
  resourceId: z.string(),
  resourceName: z.string(),
  /** `owner;env;Name=value`, see `tagsFrom`. */
  tags: z.string(),
  meter: z.string(),
  description: z.string(),
  operation: z.string(),
  unit: z.string(),
  /** List price per unit, decimal text. */
  price: z.string(),
  /** Units per day, or per month: `800/month`. */
  used: z
    .string()
    .regex(/^[\d.]+(\/month)?$/)
    .transform((text) => (text.endsWith('/month') ? Number.parseFloat(text) / daysPerMonth : Number(text))),
  rhythm: z.enum(rhythms),
  growth: z.coerce.number(),
  spot: z.string().transform((text) => (text === '' ? null : Number(text))),
  coveredBy: z.string(),
  perMonth: z.enum(['', 'yes']),
  waste: z.preprocess((text) => String(text).split(' ').filter(Boolean), z.array(z.enum(wasteKinds))),
});

/** Where usage is billed: pairs that the tables refer to. */
export type Places = Readonly<Record<string, { readonly subAccount: SubAccount; readonly region: Region }>>;

/** Reads a cloud's meters.
 *  @throws {Error} if a cell is invalid, or names an unknown place or service */
export function readMeters(table: URL, places: Places, services: Readonly<Record<string, Service>>): Meter[] {
  return readTable(table, row).map((read) => {
    const { name, resourceId: id, resourceName, resourceType: type, meter, description, operation, unit } = read;
    return {
      name,
      ...entryOf(places, read.place),
      service: entryOf(services, read.service),
      resource: id === '' ? null : { id, name: resourceName, type },
      tags: tagsFrom(read.tags),
      sku: { meter, description, operation, unit, listPrice: price(read.price) },
      perDay: read.used,
      rhythm: read.rhythm,
      growth: read.growth,
      spot: read.spot,
      coveredBy: read.coveredBy || null,
      perMonth: read.perMonth === 'yes',
      waste: read.waste,
    };
  });
}
