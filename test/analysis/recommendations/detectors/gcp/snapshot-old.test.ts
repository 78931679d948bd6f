import { describe, expect, it } from 'vitest';
import { find } from '../../subject.ts';
import { gcpCases } from './cases.ts';

const { subject } = gcpCases.gcp_snapshot_old;
const withMetadata = (metadata: typeof subject.metadata, firstSeen = subject.firstSeen) =>
  find('gcp_snapshot_old', { subject: { ...subject, metadata, firstSeen } });

describe('gcp_snapshot_old', () => {
  it('estimates at most the cost of the snapshot', () => {
    // 30 in 30 days are 30.4375 per month.
    expect(find('gcp_snapshot_old', { subject })).toMatchObject({
      saving: 30.4375,
      method: 'upper_bound',
      confidence: 'medium',
    });
  });

  it('skips snapshots whose disk exists, and has low confidence when that is unknown', () => {
    expect(withMetadata({ sourceExists: true })).toBeNull();
    expect(withMetadata({})?.confidence).toBe('low');
  });

  it('waits for a year, from the creation date if known', () => {
    expect(withMetadata({}, '2025-11-20')).toBeNull();
    expect(withMetadata({}, '2025-11-19')?.saving).toBe(30.4375);
    expect(withMetadata({ createdAt: '2025-11-20T00:00:00Z' })).toBeNull();
    expect(withMetadata({ createdAt: '2024-01-01' }, '2026-11-01')?.saving).toBe(30.4375);
  });
});
