import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { gcpCases } from './cases.ts';

describe.each([
  ['gcp_logging_storage', gcpCases.gcp_logging_storage],
  ['gcp_logging_storage_project', gcpCases.gcp_logging_storage_project],
] as const)('$0.type', (detector, { subject }) => {
  it('estimates at most the billed cost', () => {
    // 870 in 30 days are 29 per day, 882.6875 per month.
    expect(find(detector, { subject })).toMatchObject({ saving: 882.6875, method: 'upper_bound', confidence: 'low' });
  });

  it('skips free storage, and retention charges', () => {
    expect(
      find(detector, { subject: { ...subject, usage: [aUsage({ meter: 'Log Storage cost', cost: '0' })] } }),
    ).toBeNull();
    expect(find(detector, { subject: { ...subject, usage: [aUsage({ meter: 'Log Retention cost' })] } })).toBeNull();
    const usage = [aUsage({ meter: 'Log Storage cost', cost: '0.01' })];
    expect(find(detector, { subject: { ...subject, usage } })?.saving).toBe(0.010146);
  });
});

describe('gcp_logging_storage_project', () => {
  it('has the project in its title', () => {
    const { subject } = gcpCases.gcp_logging_storage_project;
    expect(find('gcp_logging_storage_project', { subject })?.title).toBe('Store fewer logs in dev');
  });

  it('excludes only DEBUG entries, by command or by Terraform', () => {
    const { subject } = gcpCases.gcp_logging_storage_project;
    const scripts = find('gcp_logging_storage_project', { subject })?.scripts() ?? [];
    expect(scripts.map(({ script }) => script)).toEqual([
      "gcloud logging sinks update _Default --project='dev' --add-exclusion='name=costkeep-debug,filter=severity=DEBUG'",
      expect.stringContaining('project     = "dev"\n'),
    ]);
    expect(scripts[1]?.script).toContain('filter      = "severity = DEBUG"');
    expect(scripts.map(({ reversible }) => reversible)).toEqual([false, false]);
  });
});
