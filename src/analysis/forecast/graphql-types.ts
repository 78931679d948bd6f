import { UnconvertedType } from '../../facts/costs/graphql.ts';
import { builder } from '../../graph/builder.ts';
import type { Accuracy, AccuracyMonth, Forecast, ForecastPoint, ForecastTotal } from './compose.ts';

type Types = (typeof builder)['$inferSchemaTypes'];

/** Which model foretells. */
export const ModelEnum = builder.enumType('ForecastModel', {
  description:
    'How costs are foretold. Both know weekdays and what is charged once a month, and neither minds single outliers.',
  values: {
    LINEAR: { value: 'linear', description: 'A straight line: the trend of the year through the last three weeks.' },
    SEASONAL: {
      value: 'seasonal',
      description:
        'On each day the middle one of that line, the Theta method and damped Holt–Winters with a week: follows changes sooner.',
    },
  } as const,
});

const moneyText = 'in `currency`, rounded to 6 decimals';

const boundTexts = {
  lower80: 'Below it in one case of ten',
  upper80: 'Above it in one case of ten',
  lower95: 'Below it in one case of forty',
  upper95: 'Above it in one case of forty',
} as const;

/** The 80 % interval lies between lower80 and upper80, the 95 % one around it; none reaches below 0. */
function boundFields<Shape extends ForecastTotal>(t: PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>) {
  const bound = (name: keyof typeof boundTexts) =>
    t.field({
      type: 'Decimal',
      nullable: true,
      description: `${boundTexts[name]}, ${moneyText}; never below 0.`,
      resolve: (of) => of[name],
    });
  return { lower80: bound('lower80'), upper80: bound('upper80'), lower95: bound('lower95'), upper95: bound('upper95') };
}

const Total = builder.objectRef<ForecastTotal>('ForecastTotal').implement({
  description:
    'What the whole horizon will cost. Its intervals are narrower than those of its days added up, whose errors partly cancel. All null where nothing is known.',
  fields: (t) => ({
    cost: t.field({
      type: 'Decimal',
      nullable: true,
      description: `What the points add up to, ${moneyText}.`,
      resolve: ({ cost }) => cost,
    }),
    ...boundFields(t),
  }),
});

const Point = builder.objectRef<ForecastPoint>('ForecastPoint').implement({
  description: 'What a day will cost.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The UTC day.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Expected EffectiveCost ${moneyText}.` }),
    ...boundFields(t),
  }),
});

const lowHistoryText =
  'True with fewer than 28 known days: then it is their mean, of each weekday from 14 days on, and not much to rely on.';

const completeText = {
  type: 'Date',
  nullable: true,
  description:
    'The last UTC day up to which the bills of all accounts asked are complete, as far as they are connected. Null before any is.',
} as const;

/** `/forecast`. */
export const ForecastType = builder.objectRef<Forecast>('Forecast').implement({
  description: 'What the next 60 days will cost.',
  fields: (t) => ({
    model: t.expose('model', { type: ModelEnum, description: 'What foretold it.' }),
    currency: t.exposeString('currency', { description: 'The organization’s currency, ISO 4217: all money is in it.' }),
    horizonDays: t.exposeInt('horizonDays', { description: 'How many days are foretold: 60.' }),
    historyFrom: t.expose('historyFrom', {
      type: 'Date',
      nullable: true,
      description:
        'The first UTC day that it is made from: a year before `historyTo`, or when the first cost was. Null where no day is known.',
    }),
    historyTo: t.expose('historyTo', {
      type: 'Date',
      nullable: true,
      description:
        'The last UTC day that it is made from, whose bills are complete for all accounts used: connected ones, but for those whose bills ended a month before the others’. Null where no day is known.',
    }),
    completeThrough: t.expose('completeThrough', completeText),
    lowHistory: t.exposeBoolean('lowHistory', { description: lowHistoryText }),
    total: t.expose('total', { type: Total, description: 'The whole horizon.' }),
    points: t.expose('points', {
      type: [Point],
      description: 'Each of the 60 days from the one after `historyTo` on, in order. Empty where no day is known.',
    }),
    unconverted: t.expose('unconverted', {
      type: [UnconvertedType],
      description:
        'Costs of the history that it is not made from, because their currency has no exchange rate for their month.',
    }),
  }),
});

const Month = builder.objectRef<AccuracyMonth>('ForecastAccuracyMonth').implement({
  description: 'A month as it was foretold on the day before it began, and as it came.',
  fields: (t) => ({
    month: t.expose('month', { type: 'Month', description: 'The UTC month.' }),
    forecast: t.expose('forecast', {
      type: 'Decimal',
      nullable: true,
      description: `What would have been foretold from the days before it alone, ${moneyText}. Null with fewer than 14 of them, and where none of the month is known.`,
    }),
    actual: t.expose('actual', {
      type: 'Decimal',
      nullable: true,
      description: `What its known days cost, ${moneyText}, of the accounts known when it began. Null where none is known.`,
    }),
    errorPercent: t.expose('errorPercent', {
      type: 'Decimal',
      nullable: true,
      description:
        '`forecast` less `actual` in percent of `actual`, 2 decimals: positive where too much was foretold. Null where there is nothing to divide by.',
    }),
  }),
});

/** `/forecast/accuracy`. */
export const AccuracyType = builder.objectRef<Accuracy>('ForecastAccuracy').implement({
  description: 'How well a model would have foretold the past six months.',
  fields: (t) => ({
    model: t.expose('model', { type: ModelEnum, description: 'What is judged.' }),
    currency: t.exposeString('currency', { description: 'The organization’s currency, ISO 4217: all money is in it.' }),
    completeThrough: t.expose('completeThrough', completeText),
    months: t.expose('months', { type: [Month], description: 'The last six complete months, the earliest first.' }),
    mape: t.expose('mape', {
      type: 'Decimal',
      nullable: true,
      description: 'Mean absolute percentage error of the months, 2 decimals. Null without any.',
    }),
    coverage80: t.expose('coverage80', {
      type: 'Decimal',
      nullable: true,
      description:
        'Percent of days that came inside the 80 % interval, 2 decimals: of forecasts made once a week for half a year. Null without any.',
    }),
    coverage95: t.expose('coverage95', {
      type: 'Decimal',
      nullable: true,
      description: 'The same of the 95 % interval.',
    }),
  }),
});
