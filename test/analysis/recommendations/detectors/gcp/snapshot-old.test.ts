import { describe, expect, it } from 'vitest';
import { find } from '../../subject.ts';
import { gcpCases } from './cases.ts';

const { subject } = gcpCases.gcp_snapshot_old;
const withMetadata = (metadata: typeof subject.metadata, firstSeen = subject.firstSeen) =>
  find('gcp_snapshot_old', { subject: { ...subject, metadata, firstSeen } });

describe('gcp_snapshot_old', () => {
  it('saves at most what it costs', () => {
    // 30 in 30 days are 30.4375 in a month.
    expect(find('gcp_snapshot_old', { subject })).toMatchObject({
      saving: 30.4375,
      method: 'upper_bound',
      confidence: 'medium',
    });
  });

  it('leaves one whose disk is there, and is less sure where nobody knows', () => {
    expect(withMetadata({ sourceExists: true })).toBeNull();
    expect(withMetadata({})?.confidence).toBe('low');
  });

  it('waits for a year, by when it was made where that is known', () => {
    expect(withMetadata({}, '2025-11-20')).toBeNull();
    expect(withMetadata({}, '2025-11-19')?.saving).toBe(30.4375);
    expect(withMetadata({ createdAt: '2025-11-20T00:00:00Z' })).toBeNull();
    expect(withMetadata({ createdAt: '2024-01-01' }, '2026-11-01')?.saving).toBe(30.4375);
  });
});
