import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aLine, csvOf, runDuck, type FocusRow } from '../../../support/focus.ts';
import { decimal } from '../../../support/cube.ts';
import { reportCharges, sumsOfCharges } from './control.ts';
import { readBills, type BillFile, type Fact } from './reading.ts';

const columns = `bill_billing_period_start_date bill_payer_account_id line_item_usage_account_id line_item_line_item_type
  line_item_usage_start_date line_item_usage_end_date line_item_product_code line_item_usage_type line_item_operation
  line_item_resource_id line_item_usage_amount line_item_currency_code line_item_unblended_cost product_region_code pricing_unit
  pricing_public_on_demand_cost reservation_effective_cost savings_plan_savings_plan_a_r_n
  savings_plan_savings_plan_effective_cost savings_plan_total_commitment_to_date savings_plan_used_commitment resource_tags
  split_line_item_parent_resource_id split_line_item_split_cost split_line_item_unused_cost`.split(/\s+/);

const plan = 'arn:aws:savingsplans::111:savingsplan/sp-1';
const node = '{"user_team":"platform","aws_eks_cluster_name":"prod"}';

/** An hour of a node for one dollar. */
function instance(given: FocusRow = {}): FocusRow {
  return {
    bill_billing_period_start_date: '2026-05-01T00:00:00.000Z',
    bill_payer_account_id: '999',
    line_item_usage_account_id: '111',
    line_item_line_item_type: 'Usage',
    line_item_usage_start_date: '2026-05-03T04:00:00.000Z',
    line_item_usage_end_date: '2026-05-03T05:00:00.000Z',
    line_item_product_code: 'AmazonEC2',
    line_item_usage_type: 'EUW1-BoxUsage:m5.xlarge',
    line_item_operation: 'RunInstances',
    line_item_resource_id: 'i-1',
    line_item_usage_amount: '1',
    line_item_currency_code: 'USD',
    line_item_unblended_cost: '1',
    product_region_code: 'eu-west-1',
    pricing_unit: 'Hrs',
    resource_tags: node,
    ...given,
  };
}

/** The row of a pod in that hour, as AWS writes it: without a cost of its own. */
function pod(namespace: string, workload: string, [split, unused]: readonly [string, string], given: FocusRow = {}): FocusRow {
  return instance({
    line_item_product_code: 'AmazonEKS',
    line_item_usage_type: 'EUW1-EKS-EC2-vCPU-Hours',
    line_item_operation: 'EKSPod-EC2',
    line_item_resource_id: `arn:aws:eks:eu-west-1:111:pod/prod/${namespace}/${workload}-7f/0c`,
    line_item_usage_amount: '0.5',
    line_item_unblended_cost: '0',
    pricing_unit: '',
    resource_tags: JSON.stringify({
      aws_eks_cluster_name: 'prod',
      aws_eks_namespace: namespace,
      aws_eks_workload_name: workload,
      aws_eks_node: 'ip-10',
      user_team: 'someone else',
    }),
    split_line_item_parent_resource_id: 'i-1',
    split_line_item_split_cost: split,
    split_line_item_unused_cost: unused,
    ...given,
  });
}

const bill = (...rows: readonly FocusRow[]): BillFile => ({ name: 'cur.csv', content: csvOf(rows, { columns }) });

/** Where the cost of facts lies: cluster, namespace, workload, billed and effective cost. */
const containers = (facts: readonly Fact[]) =>
  facts
    .map((fact) => [
      fact['x_Cluster'],
      fact['x_Namespace'],
      fact['x_Workload'],
      Number(fact['BilledCost']),
      Number(fact['EffectiveCost']),
    ])
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

describe('split cost allocation of a Cost and Usage Report', () => {
  it('divides an instance among its pods and what nothing used', async () => {
    const reading = await readBills(
      bill(instance(), pod('web', 'shop', ['0.4', '0.1']), pod('web', 'shop', ['0.1', '0.05']), pod('jobs', 'nightly', ['0.2', '0.15'])),
    );
    const facts = await reading.facts();
    expect(containers(facts)).toEqual([
      ['prod', '(unused)', '(unused)', 0.3, 0.3],
      ['prod', 'jobs', 'nightly', 0.2, 0.2],
      ['prod', 'web', 'shop', 0.5, 0.5],
    ]);
    expect(facts.map(({ x_LineItems: lines }) => Number(lines)).toSorted()).toEqual([0, 0, 1]);
    expect(new Set(facts.map(({ Tags: tags, ResourceId: id, ServiceName: service }) => [tags, id, service].join()))).toEqual(
      new Set(['{"aws_eks_cluster_name":"prod","team":"platform"},i-1,AmazonEC2']),
    );
    expect((await reading.export('2026-05')).warnings).toEqual([]);
  });
});
void [fc, runDuck, aLine, decimal, reportCharges, sumsOfCharges, plan];
