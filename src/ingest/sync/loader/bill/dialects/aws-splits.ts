import { identifier, literal } from '../../../../../engine/sql.ts';
import { containerKeys, foldedKey, type Container } from '../../month/containers.ts';
import { amount, type Columns, type Dialect, instant, money, selectAs, textOf } from '../layout.ts';

// Split cost allocation of Cost and Usage Reports: a row per hour for the vCPU and one for the memory of each EKS pod or ECS task
// that ran on an instance. Its costs are parts of the instance's, so the row itself is not a charge.
// docs.aws.amazon.com/cur/latest/userguide/table-dictionary-cur2-split-line-item.html

const parent = 'split_line_item_parent_resource_id';

/** Amounts of a part: the cost of what it reserved or used, and its share of the instance's unused cost. */
export const splitAmounts = ['split_line_item_split_cost', 'split_line_item_unused_cost'] as const;

/** Returns SQL that is true for rows of split cost allocation. A row of Fargate has the columns, too, but is a charge. */
export function isSplit(columns: Columns): string {
  const isOfOperation = `coalesce(${textOf(columns, ['line_item_operation'])} IN ('EKSPod-EC2', 'ECSTask-EC2'), false)`;
  if (!columns.has(parent)) return isOfOperation;
  const hasNoCost = `coalesce(${amount(columns, 'line_item_unblended_cost')}, 0) = 0`;
  return `(${isOfOperation} OR (${textOf(columns, [parent])} IS NOT NULL AND ${hasNoCost}))`;
}

/** Returns the parts that a report has; null if it has no columns for them.
 *  @param written the columns as in the file
 *  @param columns the same by normalized name */
export function splitParts(written: Columns, columns: Columns): Dialect['parts'] {
  if (!columns.has(parent) || !columns.has(splitAmounts[0])) return null;
  const id = textOf(columns, ['line_item_resource_id']);
  const inId = (pattern: string, group: number) => `nullif(regexp_extract(${id}, '${pattern}', ${group}), '')`;
  const pod = '^arn:[^:]*:eks:[^:]*:[^:]*:pod/([^/]+)/([^/]+)/';
  const task = '^arn:[^:]*:ecs:[^:]*:[^:]*:task/([^/]+)/';
  const start = instant(columns, 'line_item_usage_start_date');
  const end = columns.has('line_item_usage_end_date') ? instant(columns, 'line_item_usage_end_date') : start;
  const made = selectAs({
    period: `date_trunc('month', ${instant(columns, 'bill_billing_period_start_date')})::DATE`,
    parent: textOf(columns, [parent]),
    currency: textOf(columns, ['line_item_currency_code']),
    days: `range(${start}::DATE::TIMESTAMP, greatest(${end}, ${start} + INTERVAL 1 SECOND), INTERVAL 1 DAY)`,
    cluster: `coalesce(${tagOf(written, columns, 'cluster')}, ${inId(pod, 1)}, ${inId(task, 1)})`,
    namespace: `coalesce(${tagOf(written, columns, 'namespace')}, ${inId(pod, 2)})`,
    workload: tagOf(written, columns, 'workload'),
    used: `coalesce(${amount(columns, splitAmounts[0])}, 0)`,
    unused: `coalesce(${amount(columns, splitAmounts[1])}, 0)`,
  });
  const share = (name: string) => `(${name} / len(days))::${money} AS ${name}`;
  return (rows, isSeveral) => {
    const split = `SELECT ${isSeveral ? 'file_index, ' : ''}${made} FROM ${rows} WHERE ${isSplit(columns)} AND ${textOf(columns, [parent])} IS NOT NULL`;
    return `(SELECT * EXCLUDE (days, used, unused), unnest(days)::DATE AS day, ${share('used')}, ${share('unused')} FROM (${split}))`;
  };
}

/** Spellings in the map of 2.0, preferred first. */
const inMap: Readonly<Record<keyof Container, readonly string[]>> = {
  cluster: ['aws_eks_cluster_name', 'aws_ecs_cluster_name'],
  namespace: ['aws_eks_namespace'],
  workload: ['aws_eks_workload_name', 'aws_eks_deployment', 'aws_ecs_service_name', 'aws_batch_job_definition'],
};

/** Returns SQL for the part of a container that a row's tags name. */
function tagOf(written: Columns, columns: Columns, part: keyof Container): string {
  const map = columns.get('resource_tags');
  const values = map ? inMap[part].map((key) => entryOf(map, key)) : ownColumns(written, part);
  return values.length === 0 ? 'NULL::VARCHAR' : `coalesce(${values.join(', ')}, NULL)`;
}

function entryOf({ name, type }: { name: string; type: string }, key: string): string {
  const value = identifier(name);
  if (type.startsWith('MAP')) return `nullif(${value}[${literal(key)}]::VARCHAR, '')`;
  const json = type === 'VARCHAR' || type === 'JSON' ? `try_cast(${value} AS JSON)` : `to_json(${value})`;
  return `nullif(${json}->>${literal(`$.${key}`)}, '')`;
}

/** Columns per tag key of legacy reports: `resourceTags/aws:eks:namespace`, `resource_tags_aws_eks_namespace`. */
function ownColumns(written: Columns, part: keyof Container): string[] {
  return containerKeys[part].flatMap((key) =>
    [...written.values()]
      .filter(({ name }) => foldedKey(name) === `resourcetags${key}`)
      .map(({ name }) => `nullif(${identifier(name)}::VARCHAR, '')`),
  );
}
