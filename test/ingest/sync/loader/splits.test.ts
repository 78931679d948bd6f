import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvOf, runDuck, type FocusRow } from '../../../support/focus.ts';
import { containersOf, instance, loadMay, pod, reportOf, splitColumns } from './split-report.ts';

const plan = 'arn:aws:savingsplans::111:savingsplan/sp-1';
const pods = [
  pod(['web', 'shop'], ['0.4', '0.1']),
  pod(['web', 'shop'], ['0.1', '0.05'], { line_item_usage_type: 'EUW1-EKS-EC2-GB-Hours' }),
  pod(['jobs', 'nightly'], ['0.2', '0.15']),
];
const divided = ['prod (unused) (unused): 0.3', 'prod jobs nightly: 0.2', 'prod web shop: 0.5'];

/** Parquet as written by Data Exports: maps, doubles and timestamps. */
async function parquet(rows: readonly FocusRow[]): Promise<Uint8Array> {
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-report-'));
  const file = path.join(folder, 'report.parquet');
  const typed = splitColumns.map((name) => {
    const cell = `row->>'${name}'`;
    if (/_cost$|_amount$|_commitment$|_to_date$/.test(name)) return `(${cell})::DOUBLE AS ${name}`;
    if (name.endsWith('_date')) return `(${cell})::TIMESTAMP AS ${name}`;
    return name === 'resource_tags' ? `from_json(${cell}, '"MAP(VARCHAR,VARCHAR)"') AS ${name}` : `${cell} AS ${name}`;
  });
  const list = rows.map((row) => `('${JSON.stringify(row).replaceAll("'", "''")}'::JSON)`).join(',');
  await runDuck(`COPY (SELECT ${typed.join(', ')} FROM (VALUES ${list}) t(row)) TO '${file}' (FORMAT parquet)`);
  const content = await readFile(file);
  await rm(folder, { recursive: true });
  return content;
}

/** The report with the columns of older ones. */
function legacy(rows: readonly FocusRow[]): string {
  const slashed = (name: string) => {
    const [, group = '', rest = ''] =
      /^(bill|line_item|product|pricing|reservation|savings_plan|split_line_item)_(.*)$/.exec(name) ?? [];
    const camel = (words: string) => words.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
    const field = camel(`_${rest}`);
    return `${camel(group)}/${field}`;
  };
  const tags: Readonly<Record<string, string>> = {
    'resourceTags/aws:eks:cluster-name': 'aws_eks_cluster_name',
    'resourceTags/aws:eks:namespace': 'aws_eks_namespace',
    'resourceTags/aws:eks:workload-name': 'aws_eks_workload_name',
    'resourceTags/user:team': 'user_team',
  };
  const columns = splitColumns.filter((name) => name !== 'resource_tags');
  const older = rows.map((row) => {
    const own = JSON.parse(row['resource_tags'] ?? '{}') as Record<string, string>;
    const renamed = columns.map((name) => [slashed(name), row[name] ?? null] as const);
    const tagged = Object.entries(tags).map(([column, key]) => [column, own[key] ?? null] as const);
    return Object.fromEntries([...renamed, ...tagged]);
  });
  return csvOf(older, { columns: [...columns.map(slashed), ...Object.keys(tags)] });
}

describe('split cost allocation', () => {
  it.each([
    ['2.0 as CSV', async () => reportOf([instance(), ...pods])],
    ['2.0 as Parquet', async () => ({ name: 'a.parquet', content: await parquet([instance(), ...pods]) })],
    ['a legacy report', async () => ({ name: 'a.csv', content: legacy([instance(), ...pods]) })],
  ])('divides an instance among its workloads and unused capacity: %s', async (_form, bill) => {
    const { facts, warnings, lineItems } = await loadMay(await bill());
    expect(containersOf(facts)).toEqual(divided);
    expect(containersOf(facts, 'BilledCost')).toEqual(divided);
    expect(containersOf(facts, 'ConsumedQuantity')).toEqual(divided);
    expect(lineItems).toBe(1);
    expect(warnings).toEqual([]);
    const others = facts.map(({ Tags: tags, ResourceId: id, ServiceName: service }) => [tags, id, service].join(' '));
    expect(new Set(others)).toEqual(new Set(['{"team":"platform"} i-1 AmazonEC2']));
  });

  it('derives cluster and namespace from the resource id if those tags are not activated', async () => {
    const untagged = pods.map((row) => ({ ...row, resource_tags: '{}' }));
    const { facts } = await loadMay(reportOf([instance(), ...untagged]));
    expect(containersOf(facts)).toEqual(['prod (unused) (unused): 0.3', 'prod jobs -: 0.2', 'prod web -: 0.5']);
  });

  it('divides an instance among the services of Amazon ECS', async () => {
    const task = (service: string, costs: readonly [string, string]) =>
      pod(['', ''], costs, {
        line_item_product_code: 'AmazonECS',
        line_item_operation: 'ECSTask-EC2',
        line_item_resource_id: 'arn:aws:ecs:eu-west-1:111:task/batch/0c1',
        resource_tags: JSON.stringify({ aws_ecs_service_name: service }),
      });
    const { facts } = await loadMay(reportOf([instance(), task('api', ['0.7', '0.1']), task('mail', ['0.1', '0.1'])]));
    expect(containersOf(facts)).toEqual(['batch (unused) (unused): 0.2', 'batch - api: 0.7', 'batch - mail: 0.1']);
  });

  it('counts a Fargate task, which is billed as a separate charge, in its service', async () => {
    const fargate = instance({
      line_item_product_code: 'AmazonECS',
      line_item_usage_type: 'EUW1-Fargate-vCPU-Hours:perCPU',
      line_item_operation: 'FargateTask',
      line_item_resource_id: 'arn:aws:ecs:eu-west-1:111:task/batch/0c1',
      resource_tags: '{"aws_ecs_cluster_name":"batch","aws_ecs_service_name":"api"}',
      split_line_item_split_cost: '1',
      split_line_item_unused_cost: '0',
    });
    const { facts } = await loadMay(reportOf([fargate]));
    expect(containersOf(facts)).toEqual(['batch - api: 1']);
  });

  it('divides every basis by the same shares, with Savings Plans, and leaves traffic and disks whole', async () => {
    const covered = instance({
      line_item_line_item_type: 'SavingsPlanCoveredUsage',
      line_item_unblended_cost: '2',
      pricing_public_on_demand_cost: '2.5',
      savings_plan_savings_plan_a_r_n: plan,
      savings_plan_savings_plan_effective_cost: '1',
    });
    const negation = instance({
      line_item_line_item_type: 'SavingsPlanNegation',
      line_item_unblended_cost: '-2',
      savings_plan_savings_plan_a_r_n: plan,
    });
    const traffic = instance({ line_item_usage_type: 'EUW1-DataTransfer-Out-Bytes', line_item_unblended_cost: '7' });
    const disk = instance({ line_item_resource_id: 'vol-1', line_item_usage_type: 'EUW1-EBS:VolumeUsage.gp3' });
    const { facts, totals } = await loadMay(reportOf([covered, negation, traffic, disk, ...pods]));
    expect(containersOf(facts.filter((fact) => fact['x_PricingKind'] === 'savings_plan'))).toEqual(divided);
    expect(
      containersOf(
        facts.filter((fact) => fact['ChargeCategory'] === 'Adjustment'),
        'BilledCost',
      ),
    ).toEqual(['prod (unused) (unused): -0.6', 'prod jobs nightly: -0.4', 'prod web shop: -1']);
    const rest = facts.filter((fact) => fact['x_Namespace'] === null);
    expect(containersOf(rest)).toEqual(['- - -: 1', '- - -: 7']);
    expect(totals).toMatchObject([
      { billed: '8.000000000000', effective: '9.000000000000', list: '10.500000000000', contracted: '10.000000000000' },
    ]);
  });

  it('assigns cost that the parts do not explain to the cluster', async () => {
    const { facts, warnings } = await loadMay(reportOf([instance(), pod(['web', 'shop'], ['0.4', '0.1'])]));
    expect(containersOf(facts)).toEqual(['prod (unused) (unused): 0.1', 'prod - -: 0.5', 'prod web shop: 0.4']);
    expect(warnings).toEqual([]);
  });

  it('ignores rounding differences', async () => {
    const rows = [pod(['web', 'shop'], ['0.3333333333', '0']), pod(['web', 'mail'], ['0.6666666667', '0.0000001'])];
    const { facts, warnings } = await loadMay(reportOf([instance(), ...rows]));
    expect(containersOf(facts).map((text) => text.split(':')[0])).toEqual([
      'prod (unused) (unused)',
      'prod web mail',
      'prod web shop',
    ]);
    expect(warnings).toEqual([]);
  });

  it('scales parts that exceed the cost of their instance down to it, and reports it', async () => {
    const { facts, warnings, totals } = await loadMay(
      reportOf([instance(), pod(['web', 'shop'], ['3', '0']), pod(['jobs', 'nightly'], ['0.5', '0.5'])]),
    );
    expect(containersOf(facts)).toEqual([
      'prod (unused) (unused): 0.125',
      'prod jobs nightly: 0.125',
      'prod web shop: 0.75',
    ]);
    expect(totals).toMatchObject([{ effective: '1.000000000000' }]);
    expect(warnings).toEqual([
      '2026-05: 1 instance has split cost allocation data above the cost of a day; it is scaled down to the cost ($3.00; i-1)',
    ]);
  });

  it('does not count parts of an instance that the bill does not charge, and reports it', async () => {
    const lost = ['i-7', 'i-8', 'i-9', 'i-6'].map((id) =>
      pod(['web', 'shop'], ['0.4', '0.1'], { split_line_item_parent_resource_id: id }),
    );
    const { facts, warnings, lineItems } = await loadMay(reportOf([instance(), ...lost]));
    expect(containersOf(facts)).toEqual(['- - -: 1']);
    expect(lineItems).toBe(1);
    expect(warnings).toEqual([
      '2026-05: 4 instances have split cost allocation data, but no charge on the same day; it is not counted ($2.00; i-6, i-7, i-8, …)',
    ]);
  });

  it('joins parts with instances in another file of the delivery, and counts a file that has only parts', async () => {
    const { facts, parts } = await loadMay(reportOf([instance()], 'a.csv'), reportOf(pods, 'b.csv'));
    expect(containersOf(facts)).toEqual(divided);
    expect(parts.map(({ file, month, lineItems }) => `${file} ${month} ${lineItems}`)).toEqual([
      'a.csv 2026-05 1',
      'b.csv 2026-05 0',
    ]);
  });

  it('rejects a part without a number, with file, row and column', async () => {
    await expect(loadMay(reportOf([instance(), pod(['web', 'shop'], ['many', '0'])]))).rejects.toThrow(
      'cur.csv, row 3, column split_line_item_split_cost: "many" is not a decimal number',
    );
  });
});
