import { describe, expect, it } from 'vitest';
import { runInShell } from '../../shell.ts';
import { aContext, aUsage, find } from '../../subject.ts';
import { gcpCases } from './cases.ts';

const { subject } = gcpCases.gcp_gcs_standard_cold;
const also = (meter: string) =>
  find('gcp_gcs_standard_cold', { subject: { ...subject, usage: [...subject.usage, aUsage({ meter })] } });

describe('gcp_gcs_standard_cold', () => {
  it('saves half of the cost', () => {
    // 50 of 100 in 30 days, 50.729166… per month.
    expect(find('gcp_gcs_standard_cold', { subject })).toMatchObject({
      saving: 50.729167,
      method: 'factor',
      confidence: 'medium',
    });
  });

  it('saves 40% for multi-region and dual-region storage', () => {
    // 40 of 100 in 30 days, 40.583333… per month.
    for (const meter of ['Standard Storage EU Multi-region', 'Standard Storage Dual-region Finland and Netherlands']) {
      const usage = [aUsage({ meter, quantity: '5000', cost: '100' })];
      expect(find('gcp_gcs_standard_cold', { subject: { ...subject, usage } })?.saving).toBe(40.583333);
    }
  });

  it("uses the account's price for Nearline in the region", () => {
    // 100 - 5000 × 0.014 = 30 in 30 days, 30.4375 per month.
    const context = aContext({ 'Nearline Storage Belgium': '0.014' }, { provider: 'gcp', region: 'europe-west1' });
    expect(find('gcp_gcs_standard_cold', { subject, context })).toMatchObject({ saving: 30.4375, method: 'observed' });
  });

  it('skips a bucket that is read, and has low confidence for one that is written', () => {
    expect(also('Regional Standard Class B Operations')).toBeNull();
    expect(also('Network Data Transfer GCP Intra Region within Europe')).toBeNull();
    expect(also('Regional Standard Class A Operations')?.confidence).toBe('low');
  });

  it('skips buckets with lifecycle rules, and colder storage classes', () => {
    expect(
      find('gcp_gcs_standard_cold', { subject: { ...subject, metadata: { hasLifecyclePolicy: true } } }),
    ).toBeNull();
    const usage = [aUsage({ meter: 'Coldline Storage Belgium' })];
    expect(find('gcp_gcs_standard_cold', { subject: { ...subject, usage } })).toBeNull();
  });

  it('waits for 28 days of usage', () => {
    const since = (days: number) => [aUsage({ meter: 'Standard Storage Belgium', days })];
    expect(find('gcp_gcs_standard_cold', { subject: { ...subject, usage: since(27) } })).toBeNull();
    expect(find('gcp_gcs_standard_cold', { subject: { ...subject, usage: since(28) } })).not.toBeNull();
  });

  it('uses the bucket name from either form of resource name', async () => {
    for (const nativeId of [subject.nativeId, '//storage.googleapis.com/projects/_/buckets/experiments']) {
      const found = find('gcp_gcs_standard_cold', { subject: { ...subject, nativeId } });
      const { calls } = await runInShell(found?.scripts()[0]?.script ?? '');
      expect(calls).toEqual([['gcloud', 'storage', 'buckets', 'update', 'gs://experiments', '--enable-autoclass']]);
    }
  });
});
