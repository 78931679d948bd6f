import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { readRoute } from '../../graph/rest.ts';
import { billArgs } from '../costs/graphql.ts';
import { CoverageDailyType, CoverageType } from './graphql-types.ts';
import { prepareCoverage, prepareHistory, readDaily, readSplit } from './run.ts';

/** Date range parameters of coverage queries. */
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

builder.queryFields((t) => ({
  coverage: t.field({
    ...readRoute('Coverage', '/coverage', { csv: 'split', etag: true }),
    type: CoverageType,
    description:
      'Returns spend by pricing model: reservations, savings plans, spot and on demand. Includes coverage and utilization of commitments. The last 30 complete days by default.',
    args: { ...rangeArgs, ...billArgs },
    async resolve(_root, args, ctx) {
      const prepared = await prepareCoverage(ctx.deps, viewerOf(ctx).scope, args);
      ctx.dependsOn?.(prepared.key);
      return readSplit(ctx.deps, prepared);
    },
  }),
  coverageDaily: t.field({
    ...readRoute('Coverage', '/coverage/daily', { csv: 'days', etag: true }),
    type: CoverageDailyType,
    description: 'Returns spend by pricing model per day, for the last 90 complete days.',
    args: billArgs,
    async resolve(_root, args, ctx) {
      const prepared = await prepareHistory(ctx.deps, viewerOf(ctx).scope, args);
      ctx.dependsOn?.(prepared.key);
      return readDaily(ctx.deps, prepared);
    },
  }),
}));
