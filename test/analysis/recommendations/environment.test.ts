import { describe, expect, it } from 'vitest';
import { isIgnored } from '../../../src/analysis/recommendations/evaluation/recommend.ts';
import { nonProductionTag } from '../../../src/analysis/recommendations/detectors/nonproduction.ts';
import { aSubject } from './subject.ts';

describe('nonProductionTag', () => {
  it.each(['dev', 'Staging', 'QA-2', 'non-prod', 'NonProduction', 'non_production', 'Pre-Production', 'preprod'])(
    'knows %s for what it is',
    (value) => {
      expect(nonProductionTag(aSubject({ tags: { Env: value } }))).toBe(value);
    },
  );

  it.each(['prod', 'production', 'prod-test', 'devops', 'testament', ''])('leaves %j', (value) => {
    expect(nonProductionTag(aSubject({ tags: { environment: value } }))).toBeNull();
  });
});

describe('isIgnored', () => {
  it('goes by the tag, whatever its case, unless it says false', () => {
    const ignored = (tags: Record<string, string>) => isIgnored(aSubject({ tags }));
    expect(ignored({ 'FinOps:Ignore': '' })).toBe(true);
    expect(ignored({ 'finops-ignore': 'yes' })).toBe(true);
    expect(ignored({ 'finops:ignore': ' False ' })).toBe(false);
    expect(ignored({ 'ASR-ReplicaDisk': '1' })).toBe(true);
    expect(ignored({})).toBe(false);
  });
});
