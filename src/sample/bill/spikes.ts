import { type Day, type Month, addDays, firstDay } from '../../kit/time/period.ts';
import type { SampleProvider } from './line-item.ts';

/** A known spike in the sample bill. */
export interface SampleSpike {
  readonly provider: SampleProvider;
  /** FOCUS ServiceName and RegionId of the spike. */
  readonly service: string;
  readonly region: string;
  /** The meter that spikes. */
  readonly meter: string;
  /** First and last day, both inclusive. */
  readonly start: Day;
  readonly end: Day;
  /** Usage as a multiple of the ordinary level. */
  readonly factor: number;
  /** The cause, in an engineer's words. */
  readonly cause: string;
}

interface SpikeRule extends Omit<SampleSpike, 'start' | 'end'> {
  /** Occurs in months whose number (12 × year + month) leaves `remainder` when divided by `every`. */
  readonly every: number;
  readonly remainder: number;
  readonly firstDay: number;
  readonly days: number;
}

// Based on the calendar month, not the distance from today, so past months never change. Every month has at least
// one.
const rules: readonly SpikeRule[] = [
  {
    provider: 'aws',
    service: 'Amazon Elastic Compute Cloud',
    region: 'eu-west-1',
    meter: 'nat-prod bytes',
    every: 3,
    remainder: 0,
    firstDay: 11,
    days: 3,
    factor: 14,
    cause: 'A deployment turned the image cache off: every container pulled its layers through the NAT gateway',
  },
  {
    provider: 'gcp',
    service: 'BigQuery',
    region: 'europe-west1',
    meter: 'bq analysis',
    every: 3,
    remainder: 1,
    firstDay: 17,
    days: 1,
    factor: 16,
    cause: 'A dashboard without a partition filter scanned the whole event history on every refresh',
  },
  {
    provider: 'azure',
    service: 'Azure OpenAI',
    region: 'swedencentral',
    meter: 'assistant tokens',
    every: 3,
    remainder: 2,
    firstDay: 8,
    days: 5,
    factor: 6,
    cause: 'A retry loop in the support assistant sent every failed conversation again',
  },
  {
    provider: 'aws',
    service: 'AWS Lambda',
    region: 'eu-west-1',
    meter: 'order-events duration',
    every: 4,
    remainder: 2,
    firstDay: 22,
    days: 2,
    factor: 22,
    cause: 'A queue fed its own consumer: the same order events were handled again and again',
  },
  {
    provider: 'aws',
    service: 'AmazonCloudWatch',
    region: 'us-east-1',
    meter: 'cloudwatch ingest',
    every: 6,
    remainder: 4,
    firstDay: 5,
    days: 4,
    factor: 11,
    cause: 'Debug logging stayed on after an incident',
  },
];

/** Usage of a meter that is above its ordinary level. */
export type Spike = Pick<SampleSpike, 'meter' | 'start' | 'end' | 'factor'>;

/** Spike factors of a month for one cloud, by meter and day. */
export function spikeFactors(
  { provider, spike: own }: { provider: SampleProvider; spike?: Spike },
  month: Month,
): Map<string, number> {
  const factors = new Map<string, number>();
  const calendar = spikesOf(month).filter((spike) => spike.provider === provider);
  for (const spike of own ? [...calendar, own] : calendar)
    for (let day = spike.start; day <= spike.end; day = addDays(day, 1))
      factors.set(`${spike.meter} ${day}`, spike.factor);
  return factors;
}

/** The spikes that start in a month. */
export function spikesOf(month: Month): SampleSpike[] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return rules
    .filter((rule) => (year * 12 + number) % rule.every === rule.remainder)
    .map(({ every: _every, remainder: _remainder, firstDay: first, days, ...spike }) => {
      const start = addDays(firstDay(month), first - 1);
      return { ...spike, start, end: addDays(start, days - 1) };
    });
}
