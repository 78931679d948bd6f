import { providersRule } from '../provider.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { CoverageDailyType, CoverageType } from './graphql-types.ts';
import { prepareCoverage, prepareHistory, readDaily, readSplit } from './run.ts';

/** Filters of every question about coverage. */
export const filterArgs = builder.args((t) => ({
  accountId: t.idList({ description: 'Connected accounts. Unknown ids match nothing.' }),
  provider: t.stringList({
    ...bounded(providersRule),
    description: 'Providers on the bill, as slugs: `aws`, `azure`, `gcp`, `oracle` …',
  }),
  service: t.stringList({ description: 'FOCUS ServiceName, as on the bill.' }),
  region: t.stringList({ description: 'FOCUS RegionId, as on the bill; `global` for charges without a region.' }),
}));

/** Days of a question about coverage. */
export const rangeArgs = builder.args((t) => ({
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

/** What the root fields about coverage have in common. */
export function route(path: `/coverage${string}`, csv: string, etag = true) {
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
}));
