import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import '../actions/notifications/graphql.ts';
import '../actions/notifications/channels/graphql.ts';
import '../actions/notifications/history/graphql.ts';
import '../actions/alerts/graphql.ts';
import '../actions/annotations/graphql.ts';
import '../analysis/budgets/graphql.ts';
import '../analysis/forecast/graphql.ts';
import '../analysis/anomalies/graphql.ts';
import '../actions/reports/graphql.ts';
import '../actions/schedules/graphql.ts';
import '../actions/views/graphql.ts';
import '../actions/dashboards/graphql.ts';
import '../analysis/recommendations/graphql.ts';
import '../facts/costs/breakdown/graphql.ts';
import '../facts/costs/graphql.ts';
import '../facts/coverage/graphql.ts';
import '../analysis/commitments/graphql.ts';
import '../facts/inventory/graphql.ts';
import '../facts/invoices/graphql.ts';
import '../facts/allocation/graphql.ts';
import '../facts/metrics/graphql.ts';
import '../facts/metrics/unit-cost/graphql.ts';
import '../facts/tags/graphql.ts';
import '../ingest/accounts/graphql.ts';
import '../ingest/sync/graphql.ts';
import '../ingest/samples/graphql.ts';
import '../ingest/uploads/graphql.ts';
import '../tenancy/audit/graphql.ts';
import '../tenancy/login/graphql.ts';
import '../tenancy/invites/graphql.ts';
import '../tenancy/members/graphql.ts';
import '../tenancy/org/graphql.ts';
import '../tenancy/switching/graphql.ts';
import '../tenancy/passwords/graphql.ts';
import '../tenancy/passkeys/graphql.ts';
import '../tenancy/second-factor/graphql.ts';
import '../tenancy/sessions/graphql.ts';
import '../tenancy/tokens/graphql.ts';
import { builder } from '../graph/builder.ts';
import type { Context } from '../graph/context.ts';
import { refuseBlank, refuseLarge, refuseUnchanged } from './http/arguments.ts';
import { routeOf } from './rest/route.ts';

/** The executable schema, with everything that the areas added to the builder. */
export function buildSchema(): GraphQLSchema {
  const schema = builder.toSchema({ sortSchema: false });
  for (const root of [schema.getQueryType(), schema.getMutationType()]) if (root) refuseUnguarded(root);
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {}))
    field.resolve = checked(field, refuseBlank, refuseLarge);
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {}))
    field.resolve = checked(field, ...(routeOf(field)?.method === 'PATCH' ? [refuseUnchanged] : []), refuseLarge);
  return withNullableRoots(schema);
}

/** Checks arguments after authentication, where required, and before anything else. */
function checked(
  field: GraphQLField<unknown, Context>,
  ...checks: readonly ((argument: GraphQLArgument, value: unknown) => void)[]
): GraphQLFieldResolver<unknown, Context> {
  const { args, resolve = defaultFieldResolver } = field;
  const isPublic = routeOf(field)?.public === true;
  return (root, given, ctx, info) => {
    if (ctx.viewer || isPublic)
      for (const argument of args) for (const check of checks) check(argument, given[argument.name]);
    return resolve(root, given, ctx, info);
  };
}

/** Makes root fields nullable, so that if one fails, the others of its operation still resolve. */
function withNullableRoots(schema: GraphQLSchema): GraphQLSchema {
  return mapSchema(schema, {
    [MapperKind.ROOT_FIELD]: (field) => ({ ...field, type: getNullableType(field.type) }),
  });
}

/** Access is never open by omission: every root field must declare who may use it, or that everyone may. */
function refuseUnguarded(root: GraphQLObjectType): void {
  for (const field of Object.values(root.getFields())) {
    const options: unknown = field.extensions['pothosOptions'];
    const isGuarded = typeof options === 'object' && options !== null && 'authScopes' in options;
    const isPublic = routeOf(field)?.public === true;
    if (isGuarded === isPublic) {
      throw new Error(`${root.name}.${field.name} must state either authScopes or a public REST route`);
    }
  }
}
