import { describe, expect, it } from 'vitest';
import { detectors } from '../../../../src/analysis/recommendations/detectors/all.ts';
import { scriptsFor } from '../../../../src/analysis/recommendations/detectors/script.ts';
import type { Finding } from '../../../../src/analysis/recommendations/detectors/detector.ts';
import { anyCases } from './commitment-cases.ts';
import { awsCases } from './aws/cases.ts';
import { azureCases } from './azure/cases.ts';
import { gcpCases } from './gcp/cases.ts';
import { runInShell } from '../shell.ts';
import { aSubject, find, window } from '../subject.ts';

const cases: Readonly<Record<string, { subject: ReturnType<typeof aSubject> }>> = {
  ...awsCases,
  ...azureCases,
  ...gcpCases,
  ...anyCases,
};
const finding: Finding = {
  title: 'Look at it',
  description: "It costs more than it's worth. Ask its owner.",
  savings: [],
  confidence: 'low',
  method: 'upper_bound',
  evidence: {},
  scripts: () => [],
};
const scriptOf = (overrides: Parameters<typeof aSubject>[0]) => scriptsFor(finding, aSubject(overrides), window)[0];

describe('a recommendation', () => {
  it.each(detectors.map((detector) => [detector.type, detector] as const))('has a script: %s', (type, detector) => {
    const each = cases[type] ?? { subject: aSubject() };
    const found = find(detector, each);
    expect(found && scriptsFor(found, each.subject, window).length).toBeGreaterThan(0);
  });

  it('prints its instructions when a name cannot be quoted safely', () => {
    const hostile = { nativeId: 'arn:aws:ec2:eu-west-1:1:volume/x\0', region: '@secret', name: 'x' };
    expect(scriptOf(hostile)).toEqual({
      kind: 'aws_cli',
      title: 'Show what to do',
      script: "printf '%s\\n' 'It costs more than it'\\''s worth. Ask its owner.'",
      reversible: true,
    });
  });
});

describe('scripts that cannot execute anything show facts and print instructions', () => {
  it('for an unused AWS Savings Plan', async () => {
    const { subject } = anyCases.savings_plan_unused;
    const found = find('savings_plan_unused', { subject });
    const [script] = found ? scriptsFor(found, subject, window) : [];
    expect(script).toMatchObject({ kind: 'aws_cli', title: 'Show the facts and what to do', reversible: true });
    const { calls } = await runInShell(script?.script ?? '');
    expect(calls[0]?.slice(0, 3)).toEqual(['aws', 'savingsplans', 'describe-savings-plans']);
    expect(script?.script).toContain('Share it with other accounts and move workloads onto what it covers.');
  });

  it.each([
    ['an AWS resource', {}, 'aws_cli', ['aws', 'resourcegroupstaggingapi', 'get-resources']],
    ['AWS charges', { about: 'scope', nativeId: '' }, 'aws_cli', ['aws', 'ce', 'get-cost-and-usage']],
    [
      'an Azure resource',
      { provider: 'azure', nativeId: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/disks/d' },
      'azure_cli',
      ['az', 'resource', 'show'],
    ],
    [
      'an Azure savings plan',
      { provider: 'azure', about: 'commitment', nativeId: '/savingsPlans/p' },
      'azure_cli',
      ['az', 'rest', '--method=get'],
    ],
    [
      'a Google resource',
      { provider: 'gcp', nativeId: '//compute.googleapis.com/x/y' },
      'gcloud',
      ['gcloud', 'asset', 'search-all-resources'],
    ],
    ['a Google commitment', { provider: 'gcp', about: 'commitment' }, 'gcloud', ['gcloud', 'compute', 'commitments']],
    ['a resource of another provider', { provider: 'oracle' }, 'shell', undefined],
  ] as const)('for %s', async (_name, overrides, kind, words) => {
    const script = scriptOf(overrides);
    expect(script?.kind).toBe(kind);
    const { calls, files } = await runInShell(script?.script ?? '');
    expect(files).toEqual([]);
    expect(calls[0]?.slice(0, 3)).toEqual(words);
    expect(script?.script.split('\n').at(-1)).toBe(
      "printf '%s\\n' 'It costs more than it'\\''s worth. Ask its owner.'",
    );
  });
});
