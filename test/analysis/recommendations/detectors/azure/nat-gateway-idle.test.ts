import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { azureCases } from './cases.ts';

const { subject } = azureCases.azure_nat_gateway_idle;
const withUsage = (...usage: Parameters<typeof aUsage>[0][]) => ({ subject: { ...subject, usage: usage.map(aUsage) } });

describe('azure_nat_gateway_idle', () => {
  it('saves the cost of the hours, based on billed traffic only', () => {
    // 30 in 30 days are 30.4375 per month.
    expect(find('azure_nat_gateway_idle', { subject })).toMatchObject({ saving: 30.4375, confidence: 'medium' });
  });

  it('skips a gateway with traffic in the last 14 days', () => {
    const hours = { meter: 'Standard Gateway' };
    const data = { meter: 'Standard Data Processed', unit: 'GB', quantity: '5', cost: '1' };
    expect(find('azure_nat_gateway_idle', withUsage(hours, { ...data, recentQuantity: '0.001' }))).toBeNull();
    // The cost of earlier traffic is not saved: it has already ended.
    expect(find('azure_nat_gateway_idle', withUsage(hours, { ...data, recentQuantity: '0' }))?.saving).toBe(30.4375);
  });

  it('skips a gateway billed for less than 14 days', () => {
    expect(find('azure_nat_gateway_idle', withUsage({ meter: 'Standard Gateway', days: 13 }))).toBeNull();
    expect(find('azure_nat_gateway_idle', withUsage({ meter: 'Standard Gateway', days: 14 }))).not.toBeNull();
  });
});
