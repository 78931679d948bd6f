import { describe, expect, it } from 'vitest';
import { isIgnored, nonProductionTag } from '../../../src/analysis/recommendations/environment.ts';
import { aSubject } from './subject.ts';

describe('nonProductionTag', () => {
  it.each(['dev', 'Staging', 'QA-2', 'non-prod', 'NonProduction', 'non_production', 'Pre-Production', 'preprod'])(
    'recognizes %s',
    (value) => {
      expect(nonProductionTag(aSubject({ tags: { Env: value } }))).toBe(value);
    },
  );

  it.each(['prod', 'production', 'prod-test', 'devops', 'testament', ''])('does not recognize %j', (value) => {
    expect(nonProductionTag(aSubject({ tags: { environment: value } }))).toBeNull();
  });
});

describe('isIgnored', () => {
  it('follows the ignore tag in any case, unless its value is false', () => {
    const ignored = (tags: Record<string, string>) => isIgnored(aSubject({ tags }));
    expect(ignored({ 'FinOps:Ignore': '' })).toBe(true);
    expect(ignored({ 'finops-ignore': 'yes' })).toBe(true);
    expect(ignored({ 'finops:ignore': ' False ' })).toBe(false);
    expect(ignored({ 'ASR-ReplicaDisk': '1' })).toBe(true);
    expect(ignored({})).toBe(false);
  });
});
