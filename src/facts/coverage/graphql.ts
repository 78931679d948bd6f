import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { gapSortFields } from './gaps.ts';
import { CoverageDailyType, CoverageGapPage, CoveragePlannerType, CoverageType } from './graphql-types.ts';
import { pageGaps, prepareCoverage, prepareHistory, readDaily, readPlanner, readSplit } from './run.ts';

const filterArgs = builder.args((t) => ({
  accountId: t.idList({ description: 'Connected accounts. An unknown one matches nothing.' }),
  provider: t.stringList({ description: 'Providers on the bill, as slugs: `aws`, `azure`, `gcp`, `oracle` …' }),
  service: t.stringList({ description: 'FOCUS ServiceName, as on the bill.' }),
  region: t.stringList({ description: 'FOCUS RegionId, as on the bill; `global` for charges without one.' }),
}));

const rangeArgs = builder.args((t) => ({
  startDate: t.field({
    type: 'Date',
    description: 'First UTC day of the charges. Default: 29 days before `endDate`.',
  }),
  endDate: t.field({
    type: 'Date',
    description:
      'Last UTC day, inclusive; at most 1,100 after the first. Default: 29 days after `startDate`; without either, the last day that bills are complete for.',
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
      'How spend is split across reservations, savings plans, spot and on demand, and how well commitments cover and are used. By default the last 30 complete days.',
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
    description: 'The split of each of the last 90 days, up to the last one that bills are complete for.',
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
      'Services and regions with usage that commitments cover or could, and what covering it would save. By default of the last 30 complete days.',
    complexity: pageComplexity,
    args: {
      ...rangeArgs,
      ...filterArgs,
      sortBy: t.arg.string({
        description: `Field to sort by: ${gapSortFields.join(', ')}; with \`-\` before it, descending. The largest saving first without it.`,
        extensions: {
          jsonSchema: { type: 'string', enum: gapSortFields.flatMap((field) => [field, `-${field}`]) },
        },
      }),
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
      'Which commitments would cost least: over the history of each account’s usage that none covers, for terms of 1 and 3 years and each way to pay. Nothing is bought.',
    args: filterArgs,
    resolve: async (_root, args, ctx) => readPlanner(ctx.deps, viewerOf(ctx).scope, args),
  }),
}));
