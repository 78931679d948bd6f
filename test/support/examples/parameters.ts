import type { OpenApiDocument } from '../../../src/surfaces/openapi/document.ts';
import { addMonths, dayOf, firstDay, lastDay, monthOf } from '../../../src/kit/time/period.ts';
import type { Recorder } from './recorder.ts';

interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
}
type Values = Readonly<Record<string, unknown>>;
type Listed = { data: { id: string }[] };

/** Values of the demo's account setup, and other texts that the demo does not list. */
const texts: Values = {
  // Dimensions with fewer than two values at AWS in the demo.
  billing_account: ['111122223333'],
  exclude_billing_account: ['444455556666'],
  allocated_resource: ['pod/shop-web'],
  exclude_allocated_resource: ['pod/batch'],
  cluster: ['production'],
  exclude_cluster: ['staging'],
  namespace: ['shop'],
  exclude_namespace: ['(unused)'],
  workload: ['checkout'],
  exclude_workload: ['(unused)'],
  availability_zone: ['eu-central-1a'],
  exclude_availability_zone: ['eu-central-1b'],
  exclude_account: ['019a8c2e-0000-7000-8000-000000000001'],
  exclude_provider: ['azure'],
  exclude_publisher: ['AWS Marketplace'],
  tag: ['team:data'],
  exclude_tag: ['environment:staging'],
  virtual: ['team:storefront'],
  exclude_virtual: ['team:platform'],
  tag_key: 'team',
  tag_value: ['data'],
  key: ['team'],
  type: ['aws_ebs_unattached'],
  sync_status: ['failed'],
  severity: ['high'],
  role: ['member'],
  search: 'prod',
  min_savings: 100,
  // With `tag_value`, only false is accepted.
  untagged: false,
  // Requires a virtual tag in `group_by`.
  include_shared: false,
  issuer: ['Amazon Web Services, Inc.'],
  label: ['channel:web'],
  prefix: 'focus',
  aws_account_id: '123456789012',
  role_name: 'costkeep',
  export_name: 'costkeep',
  kms_key: 'arn:aws:kms:eu-central-1:123456789012:key/019a8c2e-0000-7000-8000-000000000001',
  tenant_id: '019a8c2e-0000-7000-8000-000000000002',
  client_id: '019a8c2e-0000-7000-8000-000000000003',
  subscription_ids: ['019a8c2e-0000-7000-8000-000000000004'],
  billing_scope: '/providers/Microsoft.Billing/billingAccounts/1234567',
  resource_group: 'billing',
  storage_account: 'acmebilling',
  container: 'exports',
  billing_project: 'acme-billing',
  dataset: 'acme-billing.billing_export',
  table: 'gcp_billing_export_v1',
  location: 'EU',
  scopes: ['organizations/123456789012'],
  service_account: 'costkeep@acme-billing.iam.gserviceaccount.com',
};

/** A search text with results, other than the name of a resource. */
const searches: Values = { members: 'Kim', tags: 'team' };

/** Records an example for each optional query parameter. Every list or cost view is called once with all its
 *  parameters, so that each example is valid, alone and combined with the others. */
export async function fillParameters(recorder: Recorder, document: OpenApiDocument, now: Date): Promise<void> {
  const known = await valuesOf(recorder, document, now);
  const operations = Object.values(document.paths).map((item) => item['get'] as Operation | undefined);
  for (const operation of operations) {
    const kept = operation && recorder.recorded[operation.operationId];
    const optional = (kept ? (operation.parameters ?? []) : []).filter(
      ({ in: place, name }) => place === 'query' && name !== 'token' && kept?.request.query?.[name] === undefined,
    );
    const search = operation && searches[operation.operationId];
    const own = search === undefined ? known : { ...known, search };
    const values = optional.map(({ name, schema }) => [name, exampleOf(name, schema, own, document)] as const);
    if (operation && values.length > 0) await recorder.fill(operation.operationId, Object.fromEntries(values));
  }
}

/** Values of each dimension in the demo: one to include, another one to exclude. */
async function valuesOf(recorder: Recorder, document: OpenApiDocument, now: Date): Promise<Values> {
  const costs = document.paths['/costs']?.['get'] as Operation;
  const names = costs.parameters?.map(({ name }) => name) ?? [];
  const values: Record<string, unknown> = { ...texts };
  for (const name of names.filter(
    (each) => each !== 'tag' && each !== 'virtual' && names.includes(`exclude_${each}`),
  )) {
    const { values: found } = await recorder.call<{ values: { value: string | null }[] }>('costDimensionValues', {
      path: { dimension: name },
      query: { provider: 'aws', limit: 5 },
    });
    // A comma would need escaping.
    const own = found.flatMap(({ value }) => (value === null || value.includes(',') ? [] : [value]));
    if (own.length > 0) values[name] = own.slice(0, 1);
    if (own.length > 1) values[`exclude_${name}`] = own.slice(1, 2);
  }
  const first = async (id: string) => (await recorder.call<Listed>(id)).data[0]?.id ?? '';
  const me = await recorder.call<{ user: { id: string } }>('me');
  const month = addMonths(monthOf(dayOf(now)), -1);
  return {
    ...values,
    account_id: values['account'],
    sub_account_id: values['sub_account'],
    actor_id: [me.user.id],
    assignee_id: [me.user.id],
    policy_id: [await first('tagPolicies')],
    resource_id: await first('inventory'),
    start_month: month,
    end_month: month,
    start_date: firstDay(month),
    end_date: lastDay(month),
  };
}

function exampleOf(name: string, schema: Schema, known: Values, document: OpenApiDocument): unknown {
  const of = schema.items ?? schema.allOf?.[0] ?? schema;
  const options = of.$ref === undefined ? of.enum : schemaNamed(document, of.$ref).enum;
  const isNamed = Object.hasOwn(known, name) && (options === undefined || options.includes([known[name]].flat()[0]));
  if (isNamed) return known[name];
  if (options) {
    // The second value of a sort order is the descending one.
    const option = name === 'sort_by' ? options[1] : options.find((each) => each !== schema.default);
    return schema.type === 'array' ? [option] : option;
  }
  if (schema.type === 'boolean') return true;
  if (schema.default === undefined) throw new Error(`The parameter ${name} has no example: give it one`);
  return schema.default;
}

function schemaNamed({ components }: OpenApiDocument, reference: string): Schema {
  const { schemas } = components as { schemas: Record<string, Schema> };
  return schemas[reference.slice('#/components/schemas/'.length)] ?? {};
}
