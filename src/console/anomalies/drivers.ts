import { fromMicros, micros } from '../costs/table/rows.ts';
import type { AnomalyDetails } from './queries.ts';

/** A driver of an anomaly. */
export type Driver = AnomalyDetails['explanation']['drivers'][number];

/** A driver or, if the value is null, all others of its dimension. */
export type Row = Omit<Driver, 'value'> & { readonly value: string | null };

/** Adds a row for the drivers of each dimension that are too small to list, so that each adds up to the whole difference. */
export function withRest(drivers: readonly Driver[], impact: number): Row[] {
  const parts = Map.groupBy(drivers, ({ dimension, key }) => `${dimension} ${key}`);
  return [...parts.values()].flatMap((own) => {
    const [first] = own;
    const change = fromMicros(micros(impact) - sumMicros(own.map((driver) => driver.change)));
    if (!first || Math.abs(change) < 0.005) return own;
    const share = 100 - own.reduce((sum, driver) => sum + driver.share, 0);
    return [...own, { ...first, value: null, change, share }];
  });
}

function sumMicros(costs: readonly number[]): number {
  return costs.reduce((sum, cost) => sum + micros(cost), 0);
}
