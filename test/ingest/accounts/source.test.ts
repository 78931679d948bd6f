import { describe, expect, it } from 'vitest';
import { mergeSettings, needsOtherCredentials, overlaps } from '../../../src/ingest/accounts/source.ts';

describe('overlap of two accounts', () => {
  const scope = '/providers/microsoft.billing/billingaccounts/1';
  it.each([
    ['focus', '.', 'may', true],
    ['focus', 'may', 'may/a.csv', true],
    ['focus', 'may', 'may-2', false],
    ['focus', '.', 's3://s3.amazonaws.com/bills', false],
    ['focus', 's3://s3.amazonaws.com/bills', 's3://s3.amazonaws.com/bills/oci', true],
    ['focus', 's3://s3.amazonaws.com/bills/oci', 's3://s3.amazonaws.com/bills/oci-2', false],
    ['focus', 's3://minio.example/bills', 's3://s3.amazonaws.com/bills', false],
    ['azure', 'a,b', 'b,c', true],
    ['azure', 'a,b', 'c,d', false],
    ['azure', scope, `${scope}/billingprofiles/2`, true],
    ['azure', `${scope}/billingprofiles/1`, `${scope}/billingprofiles/2`, false],
    ['azure', scope, 'a', false],
    ['aws', '123456789012', '123456789012', true],
    ['aws', '123456789012', '123456789013', false],
    ['gcp', '01ABCD-234567-89EF01', '01ABCD-234567-89EF01', true],
  ] as const)('of %s, %s and %s is %s', (provider, one, other, shared) => {
    expect([overlaps(provider, one, other), overlaps(provider, other, one)]).toEqual([shared, shared]);
  });
});

describe('update of settings', () => {
  const old = { bucket: 'bills', prefix: 'a', exportName: 'x', region: null };
  it('replaces given settings, clears nulls and keeps the rest', () => {
    expect(mergeSettings('aws', old, { prefix: 'b' })).toEqual({ ...old, prefix: 'b' });
    expect(mergeSettings('aws', old, { bucket: null, exportName: null, prefix: undefined })).toEqual({
      ...old,
      bucket: null,
      exportName: null,
    });
  });

  it('discards the old place when FOCUS files move to another kind of place', () => {
    expect(mergeSettings('focus', { path: 'may' }, { bucket: 'bills' })).toEqual({ bucket: 'bills' });
    expect(mergeSettings('focus', { bucket: 'bills', prefix: 'a' }, { prefix: 'b' })).toEqual({
      bucket: 'bills',
      prefix: 'b',
    });
  });

  it('requires new credentials for another kind of store', () => {
    expect(needsOtherCredentials({ bucket: 'a' }, { bucket: 'b', prefix: 'x' })).toBe(false);
    expect(needsOtherCredentials({ bucket: 'a' }, { bucket: 'a', endpoint: 'https://minio.example' })).toBe(true);
    expect(needsOtherCredentials({ bucket: 'a' }, { storageAccount: 'a', container: 'b' })).toBe(true);
  });
});
