import { serviceArgs } from '../../facts/graphql.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf, type Context } from '../../graph/context.ts';
import { readRoute } from '../../graph/rest.ts';
import { prepareForecast, readAccuracy, readForecast, type ForecastArgs } from './answers.ts';
import { AccuracyType, ForecastType, ModelEnum } from './graphql-types.ts';

const forecastArgs = builder.args((t) => ({
  ...serviceArgs,
  model: t.field({ type: ModelEnum, defaultValue: 'seasonal', description: 'Forecast model.' }),
}));

async function prepare(ctx: Context, args: ForecastArgs) {
  const prepared = await prepareForecast(ctx.deps, viewerOf(ctx).scope, args);
  ctx.dependsOn?.(prepared.key);
  return prepared;
}

builder.queryFields((t) => ({
  forecast: t.field({
    ...readRoute('Forecast', '/forecast', { csv: 'points', etag: true }),
    type: ForecastType,
    description:
      'Returns the projected effective cost of the next 60 days. Includes 80% and 95% intervals, calibrated on the forecasts of the past half year.',
    args: forecastArgs,
    resolve: async (_root, args, ctx) => readForecast(ctx.deps, await prepare(ctx, args)),
  }),
  forecastAccuracy: t.field({
    ...readRoute('Forecast', '/forecast/accuracy', { csv: 'months', etag: true }),
    type: AccuracyType,
    description:
      'Returns the accuracy of past forecasts over six months. Each forecast uses only data from before the forecast month.',
    args: forecastArgs,
    resolve: async (_root, args, ctx) => readAccuracy(ctx.deps, await prepare(ctx, args)),
  }),
}));
