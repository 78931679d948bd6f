import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/console/api/refusal.ts';
import { sharedBy } from '../../../src/console/costs/question.ts';
import { draftOfYaml, yamlOf } from '../../../src/console/tags/virtual/definition.ts';
import { inputOf, newDraft, newRule, newShare, newSplit } from '../../../src/console/tags/virtual/draft.ts';
import { faultsOf, faultsOfRefusal, faultsWithout } from '../../../src/console/tags/virtual/faults.ts';

const file = `key: team
name: Team
description: By tag, else by service
default_value: Nobody
enabled: true
rules:
  - value_from:
      dimension: tag:team
      transform: strip_prefix
      prefix: team-
  - value: web
    conditions:
      - dimension: service
        operator: in
        values:
          - Amazon S3
          - a, b
      - dimension: tag:env
        operator: missing
splits:
  - name: Platform
    source_values:
      - platform
    method: fixed
    shares:
      - value: web
        percent: 33.3333
      - value: data
        percent: 66.6667
`;

describe('the definition of a virtual tag as YAML', () => {
  it('stays the same after an import and an export', () => {
    expect(yamlOf(draftOfYaml(file))).toBe(file);
  });

  it('keeps the unit metric of a split', () => {
    const [start = ''] = file.split('    method: fixed');
    const byMetric = `${start}    method: metric\n    metric_id: 01890000-0000-7000-8000-0000000000ff\n`;
    expect(yamlOf(draftOfYaml(byMetric))).toBe(byMetric);
  });

  it('becomes the input of the API', () => {
    expect(inputOf(draftOfYaml(file))).toEqual({
      name: 'Team',
      description: 'By tag, else by service',
      defaultValue: 'Nobody',
      enabled: true,
      rules: [
        { valueFrom: { dimension: 'tag:team', transform: 'STRIP_PREFIX', prefix: 'team-' }, conditions: [] },
        {
          value: 'web',
          conditions: [
            { dimension: 'service', operator: 'IN', values: ['Amazon S3', 'a, b'] },
            { dimension: 'tag:env', operator: 'MISSING', values: [] },
          ],
        },
      ],
      splits: [
        {
          name: 'Platform',
          sourceValues: ['platform'],
          method: 'FIXED',
          targets: [],
          shares: [
            { value: 'web', percent: 33.3333 },
            { value: 'data', percent: 66.6667 },
          ],
        },
      ],
    });
  });

  it.each([
    [
      'name: Team\nrules:\n  - value: web\n    conditions:\n      - dimension: service\n        operator: like',
      'rules[0].conditions[0].operator',
    ],
    ['name: Team\nrules: []\nrule: 1', 'rule'],
    ['name: 5\nrules: []', 'name'],
    ['name: [', ''],
  ])('names the field that is wrong in %j', (text, field) => {
    expect(() => draftOfYaml(text)).toThrow(field);
  });
});

describe('the form of a virtual tag', () => {
  it('names every field that is empty', () => {
    const draft = {
      ...newDraft(),
      splits: [newSplit({ method: 'FIXED', shares: [newShare({ value: 'a', percent: 40 })] })],
    };
    expect(faultsOf(draft)).toEqual({
      name: 'Enter a name',
      'rules[0].value': 'Enter a value',
      'rules[0].conditions[0].dimension': 'Choose a dimension',
      'splits[0].name': 'Enter a name',
      'splits[0].sourceValues': 'Enter at least one value',
      'splits[0].shares': 'The percentages must add up to 100%',
    });
  });

  it('requires a unit metric for a split by one', () => {
    const splits = [newSplit({ name: 'By orders', sourceValues: ['a'], method: 'METRIC' })];
    expect(faultsOf({ ...newDraft(), splits })).toMatchObject({ 'splits[0].metricId': 'Choose a unit metric' });
  });

  it('requires a prefix to strip, and no condition for a value from a dimension', () => {
    const rules = [newRule({ kind: 'valueFrom', dimension: 'tag:team', transform: 'STRIP_PREFIX', conditions: [] })];
    expect(faultsOf({ ...newDraft(), name: 'Team', rules })).toEqual({
      'rules[0].valueFrom.prefix': 'Enter the prefix',
    });
  });

  it.each([
    ['rules[2].conditions[0].values[3]', 'rules[2].conditions[0].values'],
    ['rules[2].conditions[0].values', 'rules[2].conditions[0].values'],
    ['rules[0].valueFrom.prefix', 'rules[0].valueFrom.prefix'],
    ['splits[1].sourceValues[0]', 'splits[1].sourceValues'],
    ['splits[1].shares[2]', 'splits[1].shares[2].value'],
    ['splits[1].shares[2].percent', 'splits[1].shares[2].percent'],
    ['name', 'name'],
  ])('shows an error of the API in %s at %s', (field, path) => {
    const refusal = new Refusal('VALIDATION_ERROR', 'It is wrong', { status: 400, field, reason: 'is wrong' });
    expect(faultsOfRefusal(refusal)).toEqual({ [path]: 'Is wrong.' });
  });

  it('clears the errors of a part that changes, and no others', () => {
    const faults = { 'rules[1].value': 'a', 'rules[10].value': 'b', 'rules[1].conditions[0].values': 'c', name: 'd' };
    expect(faultsWithout(faults, 'rules[1]')).toEqual({ 'rules[10].value': 'b', name: 'd' });
    expect(faultsWithout(faults, 'rules')).toEqual({ name: 'd' });
  });
});

it('includes shared costs of the only virtual tag that costs are grouped by', () => {
  expect(sharedBy(['virtual:team'])).toBe('virtual:team');
  expect(sharedBy(['service', 'virtual:team'])).toBe('virtual:team');
  expect(sharedBy(['virtual:team', 'virtual:product'])).toBeNull();
  expect(sharedBy(['tag:team'])).toBeNull();
  expect(sharedBy(['day'])).toBeNull();
});
