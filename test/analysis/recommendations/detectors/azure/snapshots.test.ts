import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { azureCases } from './cases.ts';

describe('azure_snapshot_old', () => {
  const { subject } = azureCases.azure_snapshot_old;
  const withMetadata = (metadata: typeof subject.metadata, firstSeen = subject.firstSeen) =>
    find('azure_snapshot_old', { subject: { ...subject, metadata, firstSeen } });

  it('estimates at most the cost of the snapshot', () => {
    // 30 in 30 days are 30.4375 per month.
    expect(find('azure_snapshot_old', { subject })).toMatchObject({
      saving: 30.4375,
      method: 'upper_bound',
      confidence: 'medium',
    });
  });

  it('skips snapshots whose disk exists', () => {
    expect(withMetadata({ sourceExists: true })).toBeNull();
  });

  it('waits for 30 days when the disk is deleted, and for a year when that is unknown', () => {
    expect(withMetadata({ sourceExists: false }, '2026-10-21')).toBeNull();
    expect(withMetadata({ sourceExists: false }, '2026-10-20')?.saving).toBe(30.4375);
    expect(withMetadata({}, '2025-11-20')).toBeNull();
    expect(withMetadata({}, '2025-11-19')).toMatchObject({ saving: 30.4375, confidence: 'low' });
    expect(withMetadata({ createdAt: '2026-11-01', sourceExists: false })).toBeNull();
  });
});

describe('azure_snapshot_premium', () => {
  const { subject } = azureCases.azure_snapshot_premium;

  it('saves 60% of the cost', () => {
    // 60 of 100 in 30 days are 60.875 per month.
    expect(find('azure_snapshot_premium', { subject })).toMatchObject({ saving: 60.875, method: 'factor' });
  });

  it('prefers the SKU from the inventory', () => {
    const standard = { ...subject, metadata: { sku: 'Standard_LRS' } };
    expect(find('azure_snapshot_premium', { subject: standard })).toBeNull();
    const usage = [aUsage({ meter: 'LRS Snapshots', cost: '100' })];
    expect(
      find('azure_snapshot_premium', { subject: { ...subject, usage, metadata: { sku: 'Premium_LRS' } } })?.saving,
    ).toBe(60.875);
    expect(find('azure_snapshot_premium', { subject: { ...subject, usage } })).toBeNull();
  });

  it('skips a snapshot of a standard disk', () => {
    const usage = [aUsage({ meter: 'LRS Snapshots', description: 'Standard HDD Managed Disks - LRS Snapshots' })];
    expect(find('azure_snapshot_premium', { subject: { ...subject, usage } })).toBeNull();
  });
});
