import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { listArgs, pageField, selectedPage } from '../../graph/paging.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import { selectedUpdate, updatedComplexity } from '../graphql.ts';
import { updateRecommendation, updateRecommendations } from './change.ts';
import { filterArgs, UpdateRecommendationInput, UpdateRecommendationsInput } from './graphql-inputs.ts';
import { RecommendationDetailsType, RecommendationPage, SummaryType, UpdatedRecommendations } from './graphql-types.ts';
import { pageRecommendations, summarizeRecommendations } from './list.ts';
import { recommendations } from './store.ts';
import { recommendationSortFields } from './list-store.ts';

const idArg = 'UUID of the recommendation.';

builder.queryFields((t) => ({
  recommendations: t.field({
    ...pageField(RecommendationPage),
    description: 'Lists savings recommendations, newest first. Only accounts in the caller’s scope.',
    args: { ...filterArgs, ...listArgs('Recommendation', recommendationSortFields) },
    ...readRoute('Recommendations', '/recommendations', { csv: 'data' }),
    resolve: selectedPage((ctx, args, page) => pageRecommendations(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
  recommendation: t.prismaField({
    type: RecommendationDetailsType,
    description: 'Returns a recommendation with its remediation scripts.',
    args: { id: t.arg.id({ required: true, description: idArg }) },
    ...readRoute('Recommendations', '/recommendations/{id}'),
    resolve: (query, _root, { id }, ctx) => recommendations.read(ctx.deps, viewerOf(ctx).scope, id, query),
  }),
  recommendationsSummary: t.field({
    type: SummaryType,
    description:
      'Returns the number and savings of recommendations, by type and status. Totals and `byType` cover `open` and `in_progress`, unless `status` is given; `byStatus` covers all. Accepts the same filters as the list.',
    args: filterArgs,
    ...readRoute('Recommendations', '/recommendations/summary'),
    resolve: (_root, args, ctx) => summarizeRecommendations(ctx.deps, viewerOf(ctx).scope, args),
  }),
}));

builder.mutationFields((t) => ({
  updateRecommendation: t.prismaField({
    type: RecommendationDetailsType,
    description:
      'Changes the status, the assignee or the note of a recommendation, or snoozes it. Later syncs keep the statuses `applied` and `archived`, and archive other recommendations that no longer apply. For Members and Admins.',
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      input: t.arg({ type: UpdateRecommendationInput, required: true, description: 'Fields to change.' }),
    },
    ...writeRoute('Recommendations', 'recommendations.write', { method: 'PATCH', path: '/recommendations/{id}' }),
    resolve: (query, _root, { id, input }, ctx) =>
      updateRecommendation(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, id, query }),
  }),
  updateRecommendations: t.field({
    type: UpdatedRecommendations,
    complexity: updatedComplexity,
    description:
      'Makes the same change to several recommendations. Either all are changed or none. For Members and Admins.',
    args: {
      input: t.arg({ type: UpdateRecommendationsInput, required: true, description: 'Recommendations and changes.' }),
    },
    ...writeRoute('Recommendations', 'recommendations.write', {
      method: 'PATCH',
      path: '/recommendations',
      errors: ['NOT_FOUND'],
    }),
    resolve: selectedUpdate((ctx, { input }, query) =>
      updateRecommendations(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, query }),
    ),
  }),
}));
