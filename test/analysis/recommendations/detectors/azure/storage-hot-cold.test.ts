import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { azureCases } from './cases.ts';

const { subject } = azureCases.azure_storage_hot_cold;
const market = { provider: 'azure', region: 'westeurope' };
const read = (quantity: string, unit: string, cost = '1') => ({
  subject: {
    ...subject,
    usage: [...subject.usage, aUsage({ meter: 'Hot Read Operations', unit, quantity, cost })],
  },
});

describe('azure_storage_hot_cold', () => {
  it('saves 45% less an allowance of 6% for reads', () => {
    // 39% of 92 in 30 days: 35.88, 36.40325 per month.
    expect(find('azure_storage_hot_cold', { subject })).toMatchObject({ saving: 36.40325, method: 'factor' });
  });

  it("uses the account's price for the cool tier in the region", () => {
    // 92 - 5000 × 0.01 = 42, less 6% of 92 = 5.52: 36.48, 37.012 per month.
    const context = aContext({ 'Cool LRS Data Stored': '0.01' }, market);
    expect(find('azure_storage_hot_cold', { subject, context })).toMatchObject({ saving: 37.012, method: 'observed' });
  });

  it('treats up to one read per GB as cold, in units that state a number of operations', () => {
    expect(find('azure_storage_hot_cold', read('0.5', '10K'))).not.toBeNull();
    expect(find('azure_storage_hot_cold', read('0.5001', '10K'))).toBeNull();
  });

  it('derives the number of reads from their cost when the unit does not state it', () => {
    // 92 for 5000 GB: 0.002 is the cost of 46000 × 5000 × 0.002 / 92 = 5000 reads, whatever the unit of the quantity.
    for (const quantity of ['0.00005', '0.5', '5000']) {
      expect(find('azure_storage_hot_cold', read(quantity, 'Units', '0.002'))).not.toBeNull();
      expect(find('azure_storage_hot_cold', read(quantity, 'Units', '0.002001'))).toBeNull();
    }
  });

  it('skips accounts with lifecycle rules, and data that is already cool', () => {
    expect(
      find('azure_storage_hot_cold', { subject: { ...subject, metadata: { hasLifecyclePolicy: true } } }),
    ).toBeNull();
    const usage = [aUsage({ meter: 'Cool LRS Data Stored', unit: 'GB/Month', quantity: '5000' })];
    expect(find('azure_storage_hot_cold', { subject: { ...subject, usage } })).toBeNull();
  });

  it('finds nothing when the allowance exceeds the difference', () => {
    const context = aContext({ 'Cool LRS Data Stored': '0.0173' }, market);
    expect(find('azure_storage_hot_cold', { subject, context })).toBeNull();
  });

  it("changes the account's default tier, or adds a lifecycle rule", () => {
    const scripts = find('azure_storage_hot_cold', { subject })?.scripts() ?? [];
    expect(scripts.map(({ kind, reversible }) => ({ kind, reversible }))).toEqual([
      { kind: 'azure_cli', reversible: true },
      { kind: 'terraform', reversible: true },
    ]);
    expect(scripts[0]?.script).toBe(`az storage account update --ids='${subject.nativeId}' --access-tier=Cool --yes`);
    expect(scripts[1]?.script).toContain(`storage_account_id = "${subject.nativeId}"`);
  });
});
