import { describe, expect, it } from 'vitest';
import { runInShell } from '../../shell.ts';
import { aUsage, find } from '../../subject.ts';
import { azureCases } from './cases.ts';

const { subject } = azureCases.azure_loganalytics_commitment_tier;
const ingested = (quantity: string, recentQuantity: string) => {
  const usage = [aUsage({ meter: 'Pay-as-you-go Data Ingestion', unit: 'GB', quantity, recentQuantity, cost: '9000' })];
  return find('azure_loganalytics_commitment_tier', { subject: { ...subject, usage } });
};

describe('azure_loganalytics_commitment_tier', () => {
  it('saves 15% from 100 GB per day', () => {
    // 15% of 9000 in 30 days: 1350, 1369.6875 per month.
    expect(find('azure_loganalytics_commitment_tier', { subject })).toMatchObject({
      saving: 1369.6875,
      method: 'factor',
    });
  });

  it('uses the lower daily volume of the last 14 days and the window', () => {
    expect(ingested('3000', '1400')).not.toBeNull();
    expect(ingested('2999', '1400')).toBeNull();
    expect(ingested('3000', '1399')).toBeNull();
  });

  it('chooses the largest tier that the volume fills', async () => {
    // 25% of 9000: 2250, 2282.8125 per month.
    const found = ingested('29970', '13986');
    expect(found?.saving).toBe(2282.8125);
    const { calls } = await runInShell(found?.scripts()[0]?.script ?? '');
    expect(calls[0]?.slice(-2)).toEqual(['--sku=CapacityReservation', '--capacity-reservation-level=500']);
  });

  it('skips a workspace that is already on a commitment tier', () => {
    const usage = [aUsage({ meter: '100 GB Commitment Tier Capacity Reservation', quantity: '30', cost: '6000' })];
    expect(find('azure_loganalytics_commitment_tier', { subject: { ...subject, usage } })).toBeNull();
  });
});
