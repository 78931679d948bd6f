import { type Meter, type MeterInput, meterOf } from '../bill/meter.ts';
import { type Tags, tagsOf } from '../inventory/tags.ts';
import type { Place } from './places.ts';

/** Storage is priced by the month: a day is a part of it. */
export const daysPerMonth = 30.4375;

/** Google labels: lower case, and the team's cost centre without its capitals. */
export function labels(...tag: Parameters<typeof tagsOf>): Tags {
  const { Name: _name, cost_center: costCenter = '', ...rest } = tagsOf(...tag);
  return { ...rest, cost_center: costCenter.toLowerCase() };
}

/** A meter as Google's price list words it. */
export interface SimpleInput extends Partial<MeterInput> {
  readonly name: string;
  readonly at: Place;
  readonly service: MeterInput['service'];
  readonly meter: string;
  readonly unit: string;
  readonly price: string;
  readonly perDay: number;
}

/** A meter whose description is its SKU's, as on Google's bills. */
export function simple(input: SimpleInput): Meter {
  return meterOf({ description: input.meter, ...input });
}
