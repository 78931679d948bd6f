import { type Meter, type MeterInput, meterOf } from '../bill/meter.ts';
import { type Tags, tagsOf } from '../inventory/tags.ts';
import type { Place } from './places.ts';

/** Average days per month; storage is priced per month. */
export const daysPerMonth = 30.4375;

/** Google labels: lower case, including the team's cost center. */
export function labels(...tag: Parameters<typeof tagsOf>): Tags {
  const { Name: _name, cost_center: costCenter = '', ...rest } = tagsOf(...tag);
  return { ...rest, cost_center: costCenter.toLowerCase() };
}

/** A meter in the terms of Google's price list. */
export interface SimpleInput extends Partial<MeterInput> {
  readonly name: string;
  readonly at: Place;
  readonly service: MeterInput['service'];
  readonly meter: string;
  readonly unit: string;
  readonly price: string;
  readonly perDay: number;
}

/** A meter with its SKU's description, as on Google's bills. */
export function simple(input: SimpleInput): Meter {
  return meterOf({ description: input.meter, ...input });
}
