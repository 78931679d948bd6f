import { builder } from '../../graph/builder.ts';
import { viewerOf, type Context } from '../../graph/context.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { prepareForecast, readAccuracy, readForecast, type ForecastArgs } from './answers.ts';
import { AccuracyType, ForecastType, ModelEnum } from './graphql-types.ts';

const forecastArgs = builder.args((t) => ({
  accountId: t.idList({ description: 'Connected accounts. An unknown one matches nothing.' }),
  provider: t.stringList({ description: 'Providers on the bill, as slugs: `aws`, `azure`, `gcp`, `oracle` …' }),
  service: t.stringList({ description: 'FOCUS ServiceName, as on the bill.' }),
  model: t.field({ type: ModelEnum, defaultValue: 'seasonal', description: 'How costs are foretold.' }),
}));

function route(path: `/forecast${string}`, csv: string) {
  const rest: RestRoute = {
    method: 'GET',
    path,
    status: 200,
    tags: ['Forecast'],
    category: 'read',
    etag: true,
    csv,
  };
  return { authScopes: { signedIn: true }, extensions: { rest } };
}

async function prepare(ctx: Context, args: ForecastArgs) {
  const prepared = await prepareForecast(ctx.deps, viewerOf(ctx).scope, args);
  ctx.dependsOn?.(prepared.key);
  return prepared;
}

builder.queryFields((t) => ({
  forecast: t.field({
    ...route('/forecast', 'points'),
    type: ForecastType,
    description:
      'What the 60 days after the last complete one will cost (EffectiveCost), with intervals that hold 80 and 95 % of cases, calibrated on what the model would have said in the past half year.',
    args: forecastArgs,
    resolve: async (_root, args, ctx) => readForecast(ctx.deps, await prepare(ctx, args)),
  }),
  forecastAccuracy: t.field({
    ...route('/forecast/accuracy', 'months'),
    type: AccuracyType,
    description:
      'How well the past six months would have been foretold: each forecast from the days before it alone, never with later data.',
    args: forecastArgs,
    resolve: async (_root, args, ctx) => readAccuracy(ctx.deps, await prepare(ctx, args)),
  }),
}));
