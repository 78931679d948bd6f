import { providersRule } from '../provider.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { gapSortFields } from './gaps.ts';
import { CoverageDailyType, CoverageGapPage, CoveragePlannerType, CoverageType } from './graphql-types.ts';
import { pageGaps, prepareCoverage, prepareHistory, readDaily, readPlanner, readSplit } from './run.ts';

const filterArgs = builder.args((t) => ({
  accountId: t.idList({ description: 'Connected accounts. Unknown ids match nothing.' }),
  provider: t.stringList({
    ...bounded(providersRule),
    description: 'Providers on the bill, as slugs: `aws`, `azure`, `gcp`, `oracle` …',
  }),
  service: t.stringList({ description: 'FOCUS ServiceName, as on the bill.' }),
  region: t.stringList({ description: 'FOCUS RegionId, as on the bill; `global` for charges without a region.' }),
}));

const rangeArgs = builder.args((t) => ({
  startDate: t.field({
    type: 'Date',
    description: 'First UTC day. Default: 29 days before `endDate`.',
  }),
  endDate: t.field({
    type: 'Date',
    description:
      'Last UTC day, inclusive; at most 1,100 days after the first. Default: 29 days after `startDate`; without either, the last day with complete bills.',
  }),
}));

function route(path: `/coverage${string}`, csv: string, etag = true) {
  const rest: RestRoute = {
    method: 'GET',
    path,
    status: 200,
    tags: ['Coverage'],
    category: 'read',
    csv,
    ...(etag && { etag: true }),
  };
  return { authScopes: { signedIn: true }, extensions: { rest } };
}

builder.queryFields((t) => ({
  coverage: t.field({
    ...route('/coverage', 'split'),
    type: CoverageType,
    description:
      'Returns spend by pricing: reservations, savings plans, spot and on demand. With the coverage and utilization of commitments. The last 30 complete days by default.',
    args: { ...rangeArgs, ...filterArgs },
    async resolve(_root, args, ctx) {
      const prepared = await prepareCoverage(ctx.deps, viewerOf(ctx).scope, args);
      ctx.dependsOn?.(prepared.key);
      return readSplit(ctx.deps, prepared);
    },
  }),
  coverageDaily: t.field({
    ...route('/coverage/daily', 'days'),
    type: CoverageDailyType,
    description: 'Returns spend by pricing per day, for the last 90 complete days.',
    args: filterArgs,
    async resolve(_root, args, ctx) {
      const prepared = await prepareHistory(ctx.deps, viewerOf(ctx).scope, args);
      ctx.dependsOn?.(prepared.key);
      return readDaily(ctx.deps, prepared);
    },
  }),
  coverageGaps: t.field({
    ...route('/coverage/gaps', 'data'),
    type: CoverageGapPage,
    description:
      'Lists services and regions with coverable usage, and the savings of covering it. The last 30 complete days by default.',
    complexity: pageComplexity,
    args: {
      ...rangeArgs,
      ...filterArgs,
      ...sortArg('CoverageGap', gapSortFields, 'Largest saving first'),
      ...pageArgs(),
    },
    async resolve(_root, { sortBy, ...args }, ctx) {
      const page = pageRequest(args);
      const prepared = await prepareCoverage(ctx.deps, viewerOf(ctx).scope, args);
      ctx.dependsOn?.(prepared.key);
      const { rows, total } = await pageGaps(ctx.deps, prepared, { sortBy, ...page });
      return pageOf(rows, total, page);
    },
  }),
  coveragePlanner: t.field({
    ...route('/coverage/planner', 'recommendations', false),
    type: CoveragePlannerType,
    description:
      'Returns the cheapest commitments for uncovered usage. Per account, for terms of 1 and 3 years and each payment option, based on usage history. Nothing is bought.',
    args: filterArgs,
    resolve: async (_root, args, ctx) => readPlanner(ctx.deps, viewerOf(ctx).scope, args),
  }),
}));
