import { warnOfRepairs } from '../../../../src/ingest/sync/repair-warnings.ts';
import { csvOf, type FocusRow } from '../../../support/focus.ts';
import { selectFacts } from '../../../support/read-facts.ts';
import { readBills, type BillFile, type Fact } from './reading.ts';

// A Cost and Usage Report 2.0 with split cost allocation.

/** Columns of the report. */
export const splitColumns = `bill_billing_period_start_date bill_payer_account_id line_item_usage_account_id
  line_item_line_item_type line_item_usage_start_date line_item_usage_end_date line_item_product_code line_item_usage_type
  line_item_operation line_item_resource_id line_item_usage_amount line_item_currency_code line_item_unblended_cost
  product_region_code pricing_unit pricing_public_on_demand_cost reservation_effective_cost savings_plan_savings_plan_a_r_n
  savings_plan_savings_plan_effective_cost savings_plan_total_commitment_to_date savings_plan_used_commitment resource_tags
  split_line_item_parent_resource_id split_line_item_split_cost split_line_item_unused_cost`.split(/\s+/);

/** An hour of a node for one dollar. */
export function instance(given: FocusRow = {}): FocusRow {
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
    resource_tags: '{"user_team":"platform"}',
    ...given,
  };
}

/** The vCPU of a pod in that hour, as AWS writes it: a row without a cost of its own. */
export function pod(
  [namespace, workload]: readonly [string, string],
  [split, unused]: readonly [string, string],
  given: FocusRow = {},
): FocusRow {
  return instance({
    line_item_product_code: 'AmazonEKS',
    line_item_usage_type: 'EUW1-EKS-EC2-vCPU-Hours',
    line_item_operation: 'EKSPod-EC2',
    line_item_resource_id: `arn:aws:eks:eu-west-1:111:pod/prod/${namespace}/${workload}-7f/0c`,
    line_item_usage_amount: '0.5',
    line_item_unblended_cost: '0',
    pricing_unit: null,
    resource_tags: JSON.stringify({
      aws_eks_cluster_name: 'prod',
      aws_eks_namespace: namespace,
      aws_eks_workload_name: workload,
      aws_eks_node: 'ip-10',
      user_team: 'of the pod',
    }),
    split_line_item_parent_resource_id: 'i-1',
    split_line_item_split_cost: split,
    split_line_item_unused_cost: unused,
    ...given,
  });
}

/** The rows as CSV. */
export function reportOf(rows: readonly FocusRow[], name = 'cur.csv'): BillFile {
  return { name, content: csvOf(rows, { columns: splitColumns }) };
}

/** The facts of May 2026, and the warnings of its export. */
export async function loadMay(...bills: readonly BillFile[]) {
  const reading = await readBills(...bills);
  const { facts, repairs, lineItems, totals } = await reading.export('2026-05');
  const days = facts.filter(({ grain }) => grain === 'day').map(({ path }) => path);
  return {
    facts: await reading.query(selectFacts(days)),
    warnings: warnOfRepairs(repairs.map((repair) => ({ ...repair, month: '2026-05' }))),
    lineItems,
    totals,
    parts: reading.parts,
  };
}

/** Returns the cost of facts by container: `cluster namespace workload: cost`. */
export function containersOf(facts: readonly Fact[], cost = 'EffectiveCost'): string[] {
  const names = ['x_Cluster', 'x_Namespace', 'x_Workload'];
  return facts.map((fact) => `${names.map((name) => fact[name] ?? '-').join(' ')}: ${Number(fact[cost])}`).toSorted();
}
