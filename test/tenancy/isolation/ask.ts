import fc from 'fast-check';
import { getNamedType, isEnumType } from 'graphql';
import { dimensionNames } from '../../../src/facts/costs/dimensions.ts';
import type { Operation } from '../../../src/surfaces/rest/sofa/operations.ts';
import type { Parameter } from '../../../src/surfaces/rest/input/variables.ts';
import {
  anomalyIds,
  fileId,
  invoiceIds,
  annotationId,
  channelId,
  metricId,
  evaluatedIds,
  recommendationIds,
  reportId,
  resourceIds,
  scheduleId,
  viewIds,
  words,
  type Plan,
} from './plan.ts';

/** A read request of the restricted caller. */
export interface Question {
  readonly path: string;
  readonly accept: string;
}

/** Names for the parameters of setup guides. */
const setupNames: Readonly<Record<string, readonly string[]>> = {
  without_export: ['true', 'false'],
  aws_account_id: ['123456789012'],
  role_name: ['costkeep'],
  bucket: ['bills'],
  prefix: ['focus', '..'],
  export_name: ['daily'],
  kms_key: ['nonsense'],
  tenant_id: ['00000000-0000-0000-0000-000000000001'],
  client_id: ['00000000-0000-0000-0000-000000000002'],
  subscription_ids: ['00000000-0000-0000-0000-000000000003'],
  billing_scope: ['/providers/Microsoft.Billing/billingAccounts/1'],
  resource_group: ['bills'],
  storage_account: ['bills'],
  container: ['bills'],
  billing_project: ['billing-123'],
  dataset: ['billing'],
  table: ['export'],
  location: ['EU'],
  scopes: ['organizations/1'],
  service_account: ['costkeep@billing-123.iam.gserviceaccount.com'],
};

/** An id that belongs to no account. */
export const never = '01890000-0000-7000-8000-0000000000ff';

/** Above the number of parameters of any list. */
const manyParameters = 20;

/** Any request to a route: half of its parameters with existing values, some with unknown values.
 *  @param isPlain sends only the required parameters, so that the answer has as much data as possible
 *  @throws {Error} for a parameter without test values */
export function questionsOf(operation: Operation, plan: Plan, isPlain: boolean): fc.Arbitrary<Question> {
  const { route, parameters, name } = operation;
  const asked = parameters.map((parameter) => {
    const value = valueOf(parameter, plan, name);
    if (parameter.isRequired) return value;
    if (isPlain) return fc.constant(null);
    // Half of many filters together would leave almost no data.
    const weight = parameters.length > manyParameters ? 8 : 1;
    return fc.oneof({ arbitrary: fc.constant(null), weight }, { arbitrary: value, weight: 1 });
  });
  const accept = fc.constantFrom('application/json', ...(route.csv ? ['text/csv'] : []));
  return fc.record({ values: fc.tuple(...asked), accept }).map(({ values, accept: type }) => ({
    path: pathOf(operation, values),
    accept: type,
  }));
}

function pathOf({ route, parameters }: Operation, values: readonly (string | null)[]): string {
  const query = new URLSearchParams();
  let path: string = route.path;
  for (const [index, { name, place }] of parameters.entries()) {
    const value = values[index] ?? null;
    if (value !== null && place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== null) query.set(name, value);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

function valueOf({ name, argument }: Parameter, plan: Plan, operation: string): fc.Arbitrary<string> {
  const type = getNamedType(argument.type);
  const known = argument.extensions['jsonSchema'];
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map((each) => each.name));
  if (typeof known === 'object' && known !== null && 'enum' in known && Array.isArray(known.enum))
    return fc.constantFrom(...known.enum.map(String));
  const values = valuesOf(plan)[name];
  if (!values) throw new Error(`${operation} has a parameter ${name}: give the isolation test values for it`);
  return fc.constantFrom(...values);
}

/** Values for filters by cost dimension, both included and excluded. */
function costFilters(plan: Plan): Readonly<Record<string, readonly string[]>> {
  const some: Readonly<Record<string, readonly string[]>> = {
    account: [...plan.accounts.map(({ id }) => id), never, '01*'],
    sub_account: words.subAccount,
    provider: words.provider,
    service: [...words.service, 'S*'],
    region: words.region,
    service_category: ['Category of Compute', 'C*'],
    charge_category: ['usage', 'credit,tax'],
    resource: [...words.resource, 'vm*', '(none)'],
    meter: [...words.meter, '(none)'],
  };
  const either = dimensionNames.flatMap((name) => {
    const values = some[name] ?? ['nothing', 'a*', '(none)'];
    return [[name, values] as const, [`exclude_${name}`, values] as const];
  });
  const tags = ['team', 'team:red', 'STAGE:blue', 'stage:r*', 'nothing:x', 'team:(none)'];
  const virtual = ['team', 'team:red', 'team:Unallocated', 'nothing:red'];
  return { ...Object.fromEntries(either), tag: tags, exclude_tag: tags, virtual, exclude_virtual: virtual };
}

function valuesOf(plan: Plan): Readonly<Record<string, readonly string[]>> {
  const accounts = [...plan.accounts.map(({ id }) => id), never];
  const days = ['2024-03-01', '2024-03-25', '2024-04-01', '2024-04-30', '2024-05-11', '2024-05-12'];
  return {
    ...costFilters(plan),
    id: [
      ...accounts,
      ...resourceIds(plan),
      ...plan.accounts.flatMap(recommendationIds),
      ...plan.accounts.flatMap(anomalyIds),
      ...plan.accounts.flatMap(invoiceIds),
      ...[plan, ...plan.accounts].flatMap((each) => Object.values(evaluatedIds(each))),
      ...[plan, ...plan.accounts].flatMap((each) => [reportId(each), scheduleId(each)]),
      ...[plan, ...plan.accounts].flatMap((each) => Object.values(viewIds(each))),
      ...[plan, ...plan.accounts].map(annotationId),
      metricId(plan),
      channelId(plan),
      'nonsense',
    ],
    account_id: [...accounts, accounts.join(',')],
    actor_id: [...plan.members.map(({ id }) => id), never],
    assignee_id: [...plan.members.map(({ id }) => id), never],
    unassigned: ['true', 'false'],
    provider: [...words.provider, 'nobody'],
    service: [...words.service, 'Nothing', words.service.join(',')],
    region: [...words.region, 'nowhere'],
    sub_account_id: [...words.subAccount, '333'],
    tag_key: [...words.tagKey, 'nothing', 'virtual:team', 'virtual:nothing'],
    include_shared: ['true', 'false'],
    with_access_key: ['true', 'false'],
    tag_value: [...words.tagValue, 'green'],
    untagged: ['true', 'false'],
    by_resource: ['true', 'false'],
    resource_id: [...resourceIds(plan), never, 'nonsense'],
    resource_type: [...words.service, 'Nothing'],
    include_gone: ['true', 'false'],
    include_snoozed: ['true', 'false'],
    enabled: ['true', 'false'],
    min_savings: ['0', '10'],
    type: ['aws_eip_idle', 'unknown', 'nothing'],
    policy_id: [...plan.policies.map(({ id }) => id), never],
    key: [...words.tagKey, 'nothing'],
    search: ['example', 'vm', 'tea', 'R1', plan.members[0]?.id ?? '', 'nobody'],
    start_month: ['2024-03', '2024-04'],
    end_month: ['2024-04', '2024-05'],
    issuer: ['AWS', 'Nobody'],
    metric: ['orders', 'ORDERS', 'nothing'],
    label: ['shop:eu', 'shop:nowhere'],
    file_id: [...plan.accounts.map(fileId), never],
    start_date: days,
    end_date: days,
    dimension: [...dimensionNames, 'tag', ...words.tagKey.map((key) => `tag:${key}`), 'virtual:team', 'nothing'],
    group_by: [
      ...dimensionNames,
      'tag:team,service',
      'resource,meter,account',
      'sub_account,region',
      'tag:STAGE,tag:team',
      'virtual:team',
      'virtual:team,service',
    ],
    limit: ['1', '2', '1000'],
    ...setupNames,
    page: ['1', '2'],
    per_page: ['1', '2', '100'],
  };
}
