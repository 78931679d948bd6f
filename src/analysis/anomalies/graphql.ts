import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { updateAnomaly } from './change.ts';
import { AnomalyDetailsType, AnomalyPage, AnomalyStatusType, SeverityType } from './graphql-types.ts';
import { pageAnomalies, readAnomaly } from './list.ts';
import { anomalySortFields } from './list-store.ts';

const idArg = 'UUID of the anomaly.';

builder.queryFields((t) => ({
  anomalies: t.field({
    type: AnomalyPage,
    description:
      'Days of services that cost more than the days before let expect, in the accounts that the caller may see. Found anew after ' +
      'each sync over the 182 days up to the last complete one; what began last comes first.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: {
      status: t.arg({ type: [AnomalyStatusType], description: 'Only those that stand so; all of them without it.' }),
      severity: t.arg({ type: [SeverityType], description: 'Only those that matter as much.' }),
      accountId: t.arg.idList({ description: 'Only those in these connected accounts.' }),
      provider: t.arg.stringList({ description: 'Only those of these providers, as slugs such as `aws`.' }),
      service: t.arg.stringList({ description: 'Only those of these services, by FOCUS ServiceName.' }),
      resourceId: t.arg.id({
        description:
          'Only those that name the resource of the inventory with this UUID among their drivers; none once it has left the ' +
          'inventory.',
      }),
      startDate: t.arg({ type: 'Date', description: 'Only those that have a day on or after this UTC day.' }),
      endDate: t.arg({ type: 'Date', description: 'Only those that have a day on or before this UTC day.' }),
      ...sortArg(anomalySortFields),
      ...pageArgs(),
    },
    extensions: { rest: route({ method: 'GET', path: '/anomalies', category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pageAnomalies(ctx.deps, viewerOf(ctx).scope, args, page);
      return pageOf(rows, total, page);
    },
  }),
  anomaly: t.field({
    type: AnomalyDetailsType,
    description: 'One anomaly, with why it cost more and how the cost went.',
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: { rest: route({ method: 'GET', path: '/anomalies/{id}', category: 'read' }) },
    resolve: (_root, { id }, ctx) => readAnomaly(ctx.deps, viewerOf(ctx).scope, id),
  }),
}));

builder.mutationFields((t) => ({
  updateAnomaly: t.field({
    type: AnomalyDetailsType,
    description:
      'Changes the status of an anomaly. Syncs keep it; what somebody resolved stays resolved. For Members and Admins.',
    authScopes: { signedIn: true, can: 'anomalies.write' },
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      status: t.arg({ type: AnomalyStatusType, description: 'The new status; any may follow any other.' }),
      reason: t.arg.string({ description: 'Why, in at most 500 characters; null takes it away.' }),
    },
    extensions: { rest: route({ method: 'PATCH', path: '/anomalies/{id}', category: 'write' }) },
    resolve: (_root, args, ctx) => updateAnomaly(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
}));

function route(rest: Pick<RestRoute, 'method' | 'path' | 'category' | 'csv'>): RestRoute {
  return { status: 200, tags: ['Anomalies'], ...rest };
}
