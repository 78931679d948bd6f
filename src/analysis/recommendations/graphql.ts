import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, pageSelection, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { updateRecommendation } from './change.ts';
import { filterArgs, UpdateRecommendationInput } from './graphql-inputs.ts';
import { RecommendationDetailsType, RecommendationPage, SummaryType } from './graphql-types.ts';
import { pageRecommendations, readRecommendation, summarizeRecommendations } from './list.ts';
import { recommendationSortFields } from './list-store.ts';

const idArg = 'UUID of the recommendation.';

builder.queryFields((t) => ({
  recommendations: t.field({
    type: RecommendationPage,
    description: 'Lists savings recommendations, newest first. Only accounts in the caller’s scope.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: { ...filterArgs, ...sortArg('Recommendation', recommendationSortFields), ...pageArgs() },
    extensions: { rest: route({ method: 'GET', path: '/recommendations', category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx, info) {
      const page = pageRequest(args);
      const selected = { ...page, ...pageSelection(ctx, info) };
      const { rows, total } = await pageRecommendations(ctx.deps, viewerOf(ctx).scope, args, selected);
      return pageOf(rows, total, page);
    },
  }),
  recommendation: t.prismaField({
    type: RecommendationDetailsType,
    description: 'Returns a recommendation with its remediation steps.',
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: { rest: route({ method: 'GET', path: '/recommendations/{id}', category: 'read' }) },
    resolve: (query, _root, { id }, ctx) => readRecommendation(ctx.deps, viewerOf(ctx).scope, id, query),
  }),
  recommendationsSummary: t.field({
    type: SummaryType,
    description:
      'Returns the number and savings of recommendations, by type and status. Totals and `byType` cover `open` and `in_progress`, unless `status` is given; `byStatus` covers all. Accepts the same filters as the list.',
    authScopes: { signedIn: true },
    args: filterArgs,
    extensions: { rest: route({ method: 'GET', path: '/recommendations/summary', category: 'read' }) },
    resolve: (_root, args, ctx) => summarizeRecommendations(ctx.deps, viewerOf(ctx).scope, args),
  }),
}));

builder.mutationFields((t) => ({
  updateRecommendation: t.prismaField({
    type: RecommendationDetailsType,
    description:
      'Changes the status of a recommendation, or snoozes it. Later syncs keep the status: an archived recommendation stays archived. For Members and Admins.',
    authScopes: { signedIn: true, can: 'recommendations.write' },
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      input: t.arg({ type: UpdateRecommendationInput, required: true, description: 'Fields to change.' }),
    },
    extensions: { rest: route({ method: 'PATCH', path: '/recommendations/{id}', category: 'write' }) },
    resolve: (query, _root, { id, input }, ctx) =>
      updateRecommendation(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, id, query }),
  }),
}));

function route(rest: Pick<RestRoute, 'method' | 'path' | 'category' | 'csv'>): RestRoute {
  return { status: 200, tags: ['Recommendations'], ...rest };
}
