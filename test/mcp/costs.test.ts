import { describe, expect, it } from 'vitest';
import { mcpWorld } from './world.ts';

// The sample: each day from August to November 19, 2026: EC2 100, Virtual Machines 20, S3 10.25, Lambda 0.333333; on November
// 10 another 250 of EC2. Today is November 21.

const world = mcpWorld();

const october = { start_date: '2026-10-01', end_date: '2026-10-31', currency: 'USD', cost_metric: 'effective' };
/** The keys of a service. */
const keysOf = ({ name, category, provider }: typeof ec2) => ({ service: name, service_category: category, provider });
const serviceKeys = ['service', 'service_category', 'provider'];
const ec2 = { name: 'Amazon Elastic Compute Cloud', category: 'Compute', provider: 'aws' };
const s3 = { name: 'Amazon S3', category: 'Storage', provider: 'aws' };
const lambda = { name: 'AWS Lambda', category: 'Compute', provider: 'aws' };
const machines = { name: 'Virtual Machines', category: 'Compute', provider: 'azure' };

describe('get_cost_summary', () => {
  it('sums a month, compared with the previous month', async () => {
    const answer = await world().callTool('get_cost_summary', { period: 'last_month' });
    expect(answer).toEqual({
      as_of: '2026-11-21T10:00:00.000Z',
      ...october,
      total_cost: 4048.083323,
      complete_through: '2026-11-19',
      periods: [{ period_start: '2026-10-01', period_end: '2026-10-31', cost: 4048.083323 }],
      comparison: {
        end_date: '2026-10-31',
        cost: 4048.083323,
        previous_start_date: '2026-09-01',
        previous_end_date: '2026-09-30',
        previous_cost: 3917.49999,
        change: 130.583333,
        change_percent: 3.33,
      },
    });
  });

  it('compares the complete days of the current month with the same days of the previous month', async () => {
    const answer = await world().callTool('get_cost_summary', { period: 'this_month', service: [ec2.name] });
    expect(answer).toMatchObject({
      start_date: '2026-11-01',
      end_date: '2026-11-21',
      total_cost: 2150,
      hint: 'Costs after 2026-11-19 are still incomplete.',
      comparison: {
        end_date: '2026-11-19',
        cost: 2150,
        previous_start_date: '2026-10-01',
        previous_end_date: '2026-10-19',
        previous_cost: 1900,
        change: 250,
        change_percent: 13.16,
      },
    });
  });

  it('ends relative periods with the last complete day', async () => {
    for (const [args, start] of [
      [{}, '2026-10-21'],
      [{ period: 'last_7_days' }, '2026-11-13'],
      [{ period: 'last_90_days' }, '2026-08-22'],
    ] as const)
      expect(await world().callTool('get_cost_summary', args)).toMatchObject({
        start_date: start,
        end_date: '2026-11-19',
        comparison: { end_date: '2026-11-19' },
      });
  });

  it('returns daily costs on request, and rejects too many days', async () => {
    const days = { start_date: '2026-11-09', end_date: '2026-11-10', granularity: 'daily' };
    expect((await world().callTool('get_cost_summary', days))['periods']).toEqual([
      { period_start: '2026-11-09', period_end: '2026-11-09', cost: 130.583333 },
      { period_start: '2026-11-10', period_end: '2026-11-10', cost: 380.583333 },
    ]);
    const answer = await world().tryTool('get_cost_summary', { ...days, start_date: '2025-01-01' });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('at most 400 days') });
  });

  it('gives a hint when the bills begin during the previous period', async () => {
    const quarter = { start_date: '2026-09-01', end_date: '2026-10-31' };
    expect(await world().callTool('get_cost_summary', quarter)).toMatchObject({
      comparison: {
        previous_start_date: '2026-07-01',
        previous_end_date: '2026-08-31',
        previous_cost: 4048.083323,
        change_percent: null,
      },
      hint: expect.stringContaining('Bills begin on 2026-08-01'),
    });
    const compared = { ...quarter, group_by: ['service'], compare_previous: true };
    expect(await world().callTool('get_cost_breakdown', compared)).toMatchObject({
      comparison: { change_percent: null },
      hint: expect.stringContaining('Bills begin on 2026-08-01'),
    });
  });

  it('compares no future or incomplete days', async () => {
    const late = await world().callTool('get_cost_summary', { start_date: '2026-11-20', end_date: '2026-11-21' });
    expect(late).not.toHaveProperty('comparison');
    const toCome = await world().tryTool('get_cost_summary', { start_date: '2026-12-01', end_date: '2026-12-31' });
    expect(toCome).toMatchObject({ isError: true, text: expect.stringContaining('get_forecast') });
    const grown = { group_by: ['service'], sort_by: 'increase', start_date: '2026-11-20', end_date: '2026-11-21' };
    expect(await world().tryTool('get_cost_breakdown', grown)).toMatchObject({
      isError: true,
      text: expect.stringContaining('after the last complete day, 2026-11-19'),
    });
  });

  it('gives a hint when there is nothing', async () => {
    const answer = await world().callTool('get_cost_summary', { account_id: ['nobody'] });
    expect(answer).toMatchObject({ total_cost: 0, hint: expect.stringContaining('list_accounts') });
  });
});

describe('get_cost_breakdown', () => {
  it('compares with the year before on request', async () => {
    const asked = { group_by: ['service'], period: 'last_month', compare_year: true };
    expect(await world().callTool('get_cost_breakdown', asked)).toMatchObject({
      comparison: { previous_start_date: '2025-10-01', previous_end_date: '2025-10-31', cost: 4048.083323 },
    });
  });

  it('groups a month by service', async () => {
    const answer = await world().callTool('get_cost_breakdown', { group_by: serviceKeys, period: 'last_month' });
    expect(answer).toMatchObject({
      ...october,
      total_cost: 4048.083323,
      groups: [
        { keys: keysOf(ec2), cost: 3100, percentage: 76.58 },
        { keys: keysOf(machines), cost: 620, percentage: 15.32 },
        { keys: keysOf(s3), cost: 317.75, percentage: 7.85 },
        { keys: keysOf(lambda), cost: 10.333323, percentage: 0.25 },
      ],
    });
    expect(answer).not.toHaveProperty('other');
  });

  it.each([
    [{ service_category: 'Compute' }, { cost: 3730.333323, percentage: 92.15 }],
    [{ provider: 'aws' }, { cost: 3428.083323, percentage: 84.68 }],
    [
      { region: 'eu-west-1', provider: 'aws' },
      { cost: 3110.333323, percentage: 76.83 },
    ],
    [
      { sub_account: '111', provider: 'aws' },
      { names: { sub_account: 'Name of 111' }, cost: 3428.083323, percentage: 84.68 },
    ],
  ])('groups by %s', async (keys, first) => {
    const args = { group_by: Object.keys(keys), period: 'last_month' };
    const answer = await world().callTool('get_cost_breakdown', args);
    expect((answer['groups'] as object[])[0]).toEqual({ keys, ...first });
  });

  it('groups by account and by tag value', async () => {
    const { prod, lab } = world().accounts;
    const byAccount = await world().callTool('get_cost_breakdown', {
      group_by: ['account', 'provider'],
      period: 'last_month',
    });
    expect(byAccount['groups']).toEqual([
      { keys: { account: prod, provider: 'aws' }, names: { account: 'prod' }, cost: 3428.083323, percentage: 84.68 },
      { keys: { account: lab, provider: 'azure' }, names: { account: 'lab' }, cost: 620, percentage: 15.32 },
    ]);
    const byTag = { group_by: ['tag:team'], period: 'last_month' };
    expect((await world().callTool('get_cost_breakdown', byTag))['groups']).toEqual([
      { keys: { 'tag:team': 'web' }, cost: 3100, percentage: 76.58 },
      { keys: { 'tag:team': 'lab' }, cost: 620, percentage: 15.32 },
      { keys: { 'tag:team': null }, cost: 317.75, percentage: 7.85 },
      { keys: { 'tag:team': 'jobs' }, cost: 10.333323, percentage: 0.25 },
    ]);
  });

  it('gives a hint when no cost has the tag, which may be misspelt', async () => {
    const args = { group_by: ['tag:squad'], period: 'last_month' };
    expect(await world().callTool('get_cost_breakdown', args)).toMatchObject({
      groups: [{ keys: { 'tag:squad': null }, percentage: 100 }],
      hint: 'No cost has the tag "squad": get_tag_compliance lists the existing keys.',
    });
    const untagged = await world().callTool('get_cost_breakdown', {
      ...args,
      group_by: ['tag:team'],
      exclude: { tag: ['team'] },
    });
    expect(untagged).toMatchObject({ groups: [{ keys: { 'tag:team': null }, cost: 317.75 }] });
    expect(untagged).not.toHaveProperty('hint');
  });

  it('combines unlisted groups, so that all add up', async () => {
    const args = { group_by: ['service'], period: 'last_month', limit: 1 };
    expect(await world().callTool('get_cost_breakdown', args)).toMatchObject({
      groups: [{ cost: 3100, percentage: 76.58 }],
      other: { count: 3, cost: 948.083323, percentage: 23.42 },
      truncated: true,
    });
  });

  it('ranks by increase, over complete days', async () => {
    const args = { group_by: ['account'], period: 'this_month', sort_by: 'increase', limit: 1 };
    expect(await world().callTool('get_cost_breakdown', args)).toMatchObject({
      start_date: '2026-11-01',
      end_date: '2026-11-19',
      total_cost: 2731.083327,
      groups: [
        {
          names: { account: 'prod' },
          cost: 2351.083327,
          previous_cost: 2101.083327,
          change: 250,
          change_percent: 11.9,
        },
      ],
      other: { count: 1, cost: 380, previous_cost: 380, change: 0, change_percent: 0 },
      comparison: { previous_start_date: '2026-10-01', previous_end_date: '2026-10-19', change: 250 },
    });
  });

  it('applies the filters', async () => {
    const period = { group_by: ['service'], start_date: '2026-10-01', end_date: '2026-10-01' };
    const totalOf = async (filters: object) =>
      (await world().callTool('get_cost_breakdown', { ...period, ...filters }))['total_cost'];
    expect(await totalOf({ provider: ['azure'] })).toBe(20);
    expect(await totalOf({ service: [s3.name, lambda.name] })).toBe(10.583333);
    expect(await totalOf({ region: ['us-east-1'] })).toBe(10.25);
    expect(await totalOf({ account_id: [world().accounts.lab] })).toBe(20);
    expect(await totalOf({ filters: { sub_account: ['lab-1'] } })).toBe(20);
    expect(await totalOf({ filters: { 'tag:team': ['web', 'jobs'] } })).toBe(100.333333);
    expect(await totalOf({ exclude: { tag: ['team'] } })).toBe(10.25);
    expect(await totalOf({ filters: { charge_category: ['tax', 'credit'] } })).toBe(0);
    expect(await totalOf({ filters: { service: ['Amazon*'] }, exclude: { service: [s3.name] } })).toBe(100);
    expect(await totalOf({ filters: { resource: ['(none)'] } })).toBe(130.583333);
    expect(await totalOf({ exclude: { meter: ['(none)'] } })).toBe(0);
    expect(await totalOf({ cost_metric: 'list' })).toBe(130.583333);
  });

  it.each([
    [{ group_by: ['tag'] }, 'write tag:KEY'],
    [{ group_by: ['service', 'region', 'meter', 'sku'] }, 'group_by'],
    [{ group_by: ['service', 'service'] }, 'group_by repeats service'],
    [{ group_by: ['service'], filters: { 'tag:team': ['*'] } }, 'prefix without text'],
    [{ group_by: ['service'], filters: { colour: ['red'] } }, 'filters.colour is not a dimension'],
    [{ group_by: ['service'], service: ['a'], filters: { service: ['b'] } }, 'use it once'],
    [{ group_by: ['service'], sort_by: 'increase', compare_previous: false }, 'omit compare_previous'],
    [{ group_by: ['service'], compare_year: true, compare_previous: true }, 'use one of them'],
    [{ group_by: ['service'], period: 'last_month', end_date: '2026-10-01' }, 'use either one'],
    [{ group_by: ['service'], start_date: '2026-10-02', end_date: '2026-10-01' }, 'swap the days'],
    [{ group_by: ['service'], start_date: '2020-01-01' }, '1100'],
    [{ group_by: ['service'], service: [] }, 'Use 1 to 50 values'],
    [{ group_by: ['hour'] }, 'service_category'],
    [{ group_by: ['service'], filters: { cost_metric: ['billed'] } }, 'filters.cost_metric is not a dimension'],
    [{ group_by: ['service'], exclude: { team: ['web'] } }, 'exclude.team is not a dimension'],
  ])('rejects %j with a remedy', async (args, remedy) => {
    const answer = await world().tryTool('get_cost_breakdown', args);
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(remedy) });
    expect(answer.text).toContain('VALIDATION_ERROR');
  });
});

describe('get_daily_costs', () => {
  it('returns each day, the average and the highest day', async () => {
    const days = { start_date: '2026-11-09', end_date: '2026-11-21' };
    const answer = await world().callTool<{ days: object[] }>('get_daily_costs', days);
    expect(answer).toMatchObject({
      total_cost: 1686.416663,
      // Over 11 days: those after November 19 are incomplete.
      average_daily_cost: 153.310606,
      highest_day: { date: '2026-11-10', cost: 380.583333 },
    });
    expect(answer.days).toHaveLength(13);
    expect(answer.days[0]).toEqual({ date: '2026-11-09', cost: 130.583333 });
  });

  it('splits days by the largest groups, and combines the others', async () => {
    const days = { start_date: '2026-11-09', end_date: '2026-11-10', group_by: 'service', limit: 2 };
    expect(await world().callTool('get_daily_costs', days)).toMatchObject({
      groups: [
        { name: ec2.name, provider: 'aws', cost: 450 },
        { name: machines.name, provider: 'azure', cost: 40 },
      ],
      days: [
        { date: '2026-11-09', cost: 130.583333, group_costs: [100, 20], other_cost: 10.583333 },
        { date: '2026-11-10', cost: 380.583333, group_costs: [350, 20], other_cost: 10.583333 },
      ],
    });
  });

  it.each([
    ['account', 'prod'],
    ['region', 'eu-west-1'],
    ['provider', 'aws'],
  ])('splits days by %s', async (group_by, name) => {
    const answer = await world().callTool<{ groups: { name: string }[] }>('get_daily_costs', { group_by });
    expect(answer.groups[0]?.name).toBe(name);
  });

  it('rejects more days than an answer can hold', async () => {
    const from = { start_date: '2026-05-01', end_date: '2026-11-01' };
    expect(await world().tryTool('get_daily_costs', from)).toMatchObject({ isError: false });
    const answer = await world().tryTool('get_daily_costs', { ...from, group_by: 'service' });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('185 days; at most 184') });
  });
});

describe('get_cost_trend', () => {
  it('returns months, and the drivers of the last complete one', async () => {
    expect(await world().callTool('get_cost_trend', { months: 3 })).toMatchObject({
      start_date: '2026-09-01',
      end_date: '2026-11-30',
      months: [
        { month: '2026-09', cost: 3917.49999, previous_cost: 4048.083323, change: -130.583333, change_percent: -3.23 },
        { month: '2026-10', cost: 4048.083323, change: 130.583333, change_percent: 3.33, partial: false },
        { month: '2026-11', cost: 2731.083327, change: null, change_percent: null, partial: true },
      ],
      hint: expect.stringContaining('For 2026-11, get_cost_summary compares its complete days'),
      drivers: {
        month: '2026-10',
        previous_cost: 3917.49999,
        change: 130.583333,
        groups: [
          { ...ec2, cost: 3100, previous_cost: 3000, change: 100, change_percent: 3.33 },
          { ...machines, change: 20 },
          { ...s3, change: 10.25 },
          { ...lambda, change: 0.333333 },
        ],
      },
    });
  });

  it('ends in the requested month, with drivers by the requested dimension', async () => {
    const args = { months: 1, end_month: '2026-09', dimension: 'tag', tag_key: 'team' };
    expect(await world().callTool('get_cost_trend', args)).toMatchObject({
      months: [{ month: '2026-09', cost: 3917.49999, change: -130.583333 }],
      drivers: { groups: [{ name: 'web', change: -100 }, { name: 'lab' }, { name: null }, { name: 'jobs' }] },
    });
  });

  it('limits months and drivers to the requested tag values', async () => {
    const args = { months: 1, end_month: '2026-09', dimension: 'tag', tag_key: 'team', tag_value: ['web', 'jobs'] };
    expect(await world().callTool('get_cost_trend', args)).toMatchObject({
      months: [{ cost: 3009.99999, change: -100.333333 }],
      drivers: { groups: [{ name: 'web' }, { name: 'jobs', change: -0.333333 }] },
    });
  });

  it.each([
    [{ end_month: '2026-12' }, 'get_forecast'],
    [{ end_month: '2026-13' }, 'use YYYY-MM'],
    [{ dimension: 'tag' }, 'requires tag_key'],
    [{ months: 37 }, '36'],
  ])('rejects %j with a remedy', async (args, remedy) => {
    const answer = await world().tryTool('get_cost_trend', args);
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(remedy) });
  });
});
