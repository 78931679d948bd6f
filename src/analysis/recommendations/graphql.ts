import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { updateRecommendation } from './change.ts';
import { RecommendationDetailsType, RecommendationPage, StatusType, SummaryType } from './graphql-types.ts';
import { pageRecommendations, readRecommendation, summarizeRecommendations } from './list.ts';
import { recommendationSortFields } from './list-store.ts';

const idArg = 'UUID of the recommendation.';

const filterArgs = builder.args((t) => ({
  status: t.field({ type: [StatusType], description: 'Only those that stand so; all of them without it.' }),
  type: t.stringList({ description: 'Only these types, such as `aws_ebs_unattached`.' }),
  accountId: t.idList({ description: 'Only those about these connected accounts.' }),
  provider: t.stringList({ description: 'Only those about these providers, as slugs such as `aws`.' }),
  resourceId: t.id({
    description: 'Only those about the resource of the inventory with this UUID; none once it has left the inventory.',
  }),
  minSavings: t.field({
    type: 'Decimal',
    description:
      'Only those that would save at least so much in a month, in the organization’s currency by the rate of the month of the ' +
      'account’s last complete day; those without a rate are left out then.',
  }),
  includeSnoozed: t.boolean({ description: 'True: snoozed ones too. They are left out without it.' }),
}));

builder.queryFields((t) => ({
  recommendations: t.field({
    type: RecommendationPage,
    description: 'What could be saved in the accounts that the caller may see; what was found last comes first.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: { ...filterArgs, ...sortArg(recommendationSortFields), ...pageArgs() },
    extensions: { rest: route({ method: 'GET', path: '/recommendations', category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pageRecommendations(ctx.deps, viewerOf(ctx).scope, args, page);
      return pageOf(rows, total, page);
    },
  }),
  recommendation: t.field({
    type: RecommendationDetailsType,
    description: 'One recommendation, with how to carry it out.',
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: { rest: route({ method: 'GET', path: '/recommendations/{id}', category: 'read' }) },
    resolve: (_root, { id }, ctx) => readRecommendation(ctx.deps, viewerOf(ctx).scope, id),
  }),
  recommendationsSummary: t.field({
    type: SummaryType,
    description:
      'How many recommendations there are and what they would save, by type and by status. Takes the list’s filters: ' +
      '`status=open,in_progress` is what can still be saved.',
    authScopes: { signedIn: true },
    args: filterArgs,
    extensions: { rest: route({ method: 'GET', path: '/recommendations/summary', category: 'read' }) },
    resolve: (_root, args, ctx) => summarizeRecommendations(ctx.deps, viewerOf(ctx).scope, args),
  }),
}));

builder.mutationFields((t) => ({
  updateRecommendation: t.field({
    type: RecommendationDetailsType,
    description:
      'Changes a recommendation’s status, snoozes it, or wakes it. Syncs keep the status; what somebody archived stays ' +
      'archived. For Members and Admins.',
    authScopes: { signedIn: true, can: 'recommendations.write' },
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      status: t.arg({ type: StatusType, description: 'The new status; any may follow any other.' }),
      reason: t.arg.string({ description: 'Why, in at most 500 characters. Goes with `status`.' }),
      snoozedUntil: t.arg({
        type: 'DateTime',
        description: 'Lists leave it out until then, at most 365 days ahead; null wakes it.',
      }),
      snoozeDays: t.arg.int({
        description: 'The same in days from now, 1 to 365; null wakes it.',
        extensions: { jsonSchema: { minimum: 1, maximum: 365 } },
      }),
    },
    extensions: { rest: route({ method: 'PATCH', path: '/recommendations/{id}', category: 'write' }) },
    resolve: (_root, args, ctx) => updateRecommendation(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
}));

function route(rest: Pick<RestRoute, 'method' | 'path' | 'category' | 'csv'>): RestRoute {
  return { status: 200, tags: ['Recommendations'], ...rest };
}
