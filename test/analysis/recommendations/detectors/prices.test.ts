import { describe, expect, it } from 'vitest';
import { numberOf } from '../../../../src/analysis/recommendations/detectors/figures.ts';
import { priceBook, type PriceRow } from '../../../../src/analysis/recommendations/detectors/prices.ts';
import { hasEnded, meterName } from '../../../../src/analysis/recommendations/evaluation/read-store.ts';
import { parseAmount } from '../../../../src/kit/money.ts';

const row = (overrides: Partial<PriceRow>): PriceRow => ({
  provider: 'aws',
  region: 'eu-west-1',
  currency: 'USD',
  meter: 'A',
  service: 'Amazon S3',
  unit: 'GB',
  quantity: parseAmount('10'),
  cost: parseAmount('1'),
  ...overrides,
});
const market = { provider: 'aws', region: 'eu-west-1', currency: 'USD' };

describe('priceBook', () => {
  it('divides the cost of a meter in a region by its quantity', () => {
    const book = priceBook([
      row({}),
      row({ quantity: parseAmount('30') }),
      row({ region: 'us-east-1', cost: parseAmount('9') }),
    ]);
    const price = book.priceOf(market, 'A');
    expect(price === null ? null : numberOf(price)).toBe(0.05);
    expect(book.priceOf({ ...market, currency: 'EUR' }, 'A')).toBeNull();
    expect(book.priceOf(market, 'B')).toBeNull();
  });

  it('has no price for a meter with two units, without cost, or without quantity', () => {
    expect(priceBook([row({}), row({ unit: 'Hrs' })]).priceOf(market, 'A')).toBeNull();
    expect(priceBook([row({ cost: 0n })]).priceOf(market, 'A')).toBeNull();
    expect(priceBook([row({ quantity: 0n })]).priceOf(market, 'A')).toBeNull();
  });

  it('excludes free usage from the price', () => {
    const price = priceBook([row({}), row({ quantity: parseAmount('90'), cost: 0n, unit: 'GB' })]).priceOf(market, 'A');
    expect(price === null ? null : numberOf(price)).toBe(0.1);
  });

  it('sums the spend on matching meters of a service', () => {
    const book = priceBook([row({}), row({ meter: 'AB' }), row({ service: 'Amazon EC2' }), row({ meter: 'C' })]);
    expect(numberOf(book.spendOn(market, /S3/, /^A/))).toBe(2);
  });
});

describe('meterName', () => {
  it.each([
    ['aws', 'EUC1-EBS:VolumeUsage.gp3', 'EBS:VolumeUsage.gp3'],
    ['aws', 'EU-BoxUsage:m5.large', 'BoxUsage:m5.large'],
    ['aws', 'APN1-NatGateway-Hours', 'NatGateway-Hours'],
    ['aws', 'NatGateway-Hours', 'NatGateway-Hours'],
    ['aws', 'USE1-USW2-AWS-Out-Bytes', 'USW2-AWS-Out-Bytes'],
    ['azure', 'EU-Meter', 'EU-Meter'],
    ['gcp', '', 'The description'],
  ])('reads %s %j as %j', (provider, meter, name) => {
    expect(meterName(provider, meter, 'The description')).toBe(name);
  });
});

describe('hasEnded', () => {
  const mask = (ages: readonly number[]) => ages.reduce((sum, age) => sum | (1 << age), 0);
  const from = (first: number, step = 1) =>
    Array.from({ length: Math.floor((29 - first) / step) + 1 }, (_, at) => first + at * step);

  it('treats a charge as ended when it stopped more than 3 days ago', () => {
    expect(hasEnded(mask(from(0)))).toBe(false);
    expect(hasEnded(mask(from(3)))).toBe(false);
    expect(hasEnded(mask(from(4)))).toBe(true);
  });

  it('waits for the longest past gap of the charge, and forever after a single charge', () => {
    expect(hasEnded(mask(from(6, 7)))).toBe(false);
    expect(hasEnded(mask(from(7, 7)))).toBe(true);
    expect(hasEnded(mask([29]))).toBe(false);
  });
});
