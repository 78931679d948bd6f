import { detectors } from '../../../src/analysis/recommendations/detectors/all.ts';
import type { Context, Detector, Finding } from '../../../src/analysis/recommendations/detectors/detector.ts';
import { numberOf } from '../../../src/analysis/recommendations/detectors/figures.ts';
import { priceBook, type PriceRow } from '../../../src/analysis/recommendations/detectors/prices.ts';
import { savingOf } from '../../../src/analysis/recommendations/evaluation/recommend.ts';
import type { Subject, Usage } from '../../../src/analysis/recommendations/detectors/subject.ts';
import { parseAmount } from '../../../src/kit/money.ts';

/** 30 days: a cost of 30 in the window is 30.4375 per month. */
export const window = { start: '2026-10-20', end: '2026-11-19', days: 30 } as const;

type UsageInput = Partial<Omit<Usage, 'quantity' | 'weekendQuantity' | 'recentQuantity' | 'cost'>> & {
  readonly quantity?: string;
  readonly weekendQuantity?: string;
  readonly recentQuantity?: string;
  readonly cost?: string;
};

/** On-demand usage of a meter on every day of the window; numbers as decimal text. */
export function aUsage({ quantity, weekendQuantity, recentQuantity, cost, ...rest }: UsageInput): Usage {
  return {
    meter: 'Meter',
    description: '',
    service: 'Service',
    kind: 'on_demand',
    unit: 'Hours',
    days: 30,
    hasEnded: false,
    ...rest,
    quantity: parseAmount(quantity ?? '720'),
    weekendQuantity: parseAmount(weekendQuantity ?? '0'),
    recentQuantity: parseAmount(recentQuantity ?? '0'),
    cost: parseAmount(cost ?? '30'),
  };
}

/** A resource known for two years. */
export function aSubject(
  overrides: Partial<Omit<Subject, 'usage'>> & { readonly usage?: readonly UsageInput[] } = {},
): Subject {
  const { usage, ...rest } = overrides;
  return {
    about: 'resource',
    id: '1',
    provider: 'aws',
    nativeId: 'arn:aws:ec2:eu-west-1:111111111111:volume/vol-1',
    name: 'data-1',
    type: 'Volume',
    service: 'Service',
    region: 'eu-west-1',
    subAccount: '111111111111',
    currency: 'USD',
    unconverted: null,
    tags: {},
    metadata: {},
    isListed: true,
    firstSeen: '2024-11-19',
    isGone: false,
    commitmentType: '',
    ...rest,
    usage: (usage ?? [{}]).map(aUsage),
  };
}

/** A context with on-demand unit prices by meter, in the region and currency of `aSubject`. */
export function aContext(
  prices: Readonly<Record<string, string>> = {},
  row: Partial<Omit<PriceRow, 'quantity' | 'cost' | 'meter'>> = {},
): Context {
  const rows = Object.entries(prices).map(([meter, price]) => ({
    provider: 'aws',
    region: 'eu-west-1',
    currency: 'USD',
    service: 'Service',
    unit: 'Hours',
    ...row,
    meter,
    quantity: parseAmount('1000'),
    cost: parseAmount(price) * 1000n,
  }));
  return { window, dataFrom: '2024-11-19', prices: priceBook(rows) };
}

/** A subject with a finding for a detector. */
export interface Case {
  readonly subject: Subject;
  readonly context?: Context;
}

/** Runs a detector, given as such or by its type, and returns its finding with the monthly saving as in the API; null without one. */
export function find(detector: Detector | string, { subject, context }: Case): (Finding & { saving: number }) | null {
  const finding = detectorOf(detector).detect(subject, context ?? aContext());
  return finding === null ? null : { ...finding, saving: numberOf(savingOf(finding)) };
}

function detectorOf(detector: Detector | string): Detector {
  const found = typeof detector === 'string' ? detectors.find(({ type }) => type === detector) : detector;
  if (found === undefined) throw new Error(`No detector of type ${String(detector)}`);
  return found;
}
