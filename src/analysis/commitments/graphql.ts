import { billArgs } from '../../facts/costs/graphql.ts';
import { rangeArgs } from '../../facts/coverage/graphql.ts';
import { prepareCoverage } from '../../facts/coverage/run.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { listArgs, paged, pageField } from '../../graph/paging.ts';
import { readRoute } from '../../graph/rest.ts';
import { gapSortFields } from './gaps.ts';
import { CoverageGapPage, CoveragePlannerType } from './graphql-types.ts';
import { pageGaps, readPlanner } from './run.ts';

builder.queryFields((t) => ({
  coverageGaps: t.field({
    ...readRoute('Coverage', '/coverage/gaps', { csv: 'data', etag: true }),
    ...pageField(CoverageGapPage),
    description:
      'Lists services and regions with eligible on-demand usage, and the savings from covering it. The last 30 complete days by default.',
    args: {
      ...rangeArgs,
      ...billArgs,
      ...listArgs('CoverageGap', gapSortFields, 'Largest saving first'),
    },
    async resolve(_root, { sortBy, ...args }, ctx) {
      const prepared = await prepareCoverage(ctx.deps, viewerOf(ctx).scope, args);
      ctx.dependsOn?.(prepared.key);
      return paged(args, (page) => pageGaps(ctx.deps, prepared, { sortBy, ...page }));
    },
  }),
  coveragePlanner: t.field({
    ...readRoute('Coverage', '/coverage/planner', { csv: 'recommendations' }),
    type: CoveragePlannerType,
    // A plan reads months of charges twice.
    complexity: { field: 1000, multiplier: 1 },
    description:
      'Returns the cheapest commitments for uncovered usage. Per account, for terms of 1 and 3 years and each payment option, based on usage history. Nothing is bought.',
    args: billArgs,
    resolve: async (_root, args, ctx) => readPlanner(ctx.deps, viewerOf(ctx).scope, args),
  }),
}));
