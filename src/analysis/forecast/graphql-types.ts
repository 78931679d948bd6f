import { UnconvertedType } from '../../facts/costs/graphql-types.ts';
import { builder } from '../../graph/builder.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import type { Accuracy, AccuracyMonth, Forecast, ForecastPoint, ForecastTotal } from './compose.ts';

type Types = (typeof builder)['$inferSchemaTypes'];

export const ModelEnum = wordEnum(
  'ForecastModel',
  'Forecast model. Both handle weekdays and monthly charges, and ignore single outliers.',
  {
    linear: 'Linear: the yearly trend through the last three weeks.',
    seasonal:
      'The daily median of the linear model, the Theta method and damped Holt–Winters with a weekly season. Follows changes sooner.',
  },
);

const moneyText = 'in `currency`, rounded to 6 decimals';

const boundTexts = {
  lower80: 'Below it in one case of ten',
  upper80: 'Above it in one case of ten',
  lower95: 'Below it in one case of forty',
  upper95: 'Above it in one case of forty',
} as const;

/** Adds the interval bounds: 80 % between lower80 and upper80, 95 % around it; none is below 0. */
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
    'Projected cost of the whole horizon. Its intervals are narrower than the sum of the daily ones, because daily errors partly cancel. All null without history.',
  fields: (t) => ({
    cost: t.field({
      type: 'Decimal',
      nullable: true,
      description: `Total of the points, ${moneyText}.`,
      resolve: ({ cost }) => cost,
    }),
    ...boundFields(t),
  }),
});

const Point = builder.objectRef<ForecastPoint>('ForecastPoint').implement({
  description: 'Projected cost of a day.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The UTC day.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Expected EffectiveCost ${moneyText}.` }),
    ...boundFields(t),
  }),
});

const lowHistoryText =
  'True with fewer than 28 days of history: the forecast is then a mean, per weekday from 14 days on, and unreliable.';

const completeText = {
  type: 'Date',
  nullable: true,
  description: 'Last UTC day with complete bills for all connected accounts in the query. Null if there is none.',
} as const;

/** `/forecast`. */
export const ForecastType = builder.objectRef<Forecast>('Forecast').implement({
  description: 'Projected cost of the next 60 days.',
  fields: (t) => ({
    model: t.expose('model', { type: ModelEnum, description: 'Forecast model.' }),
    currency: t.exposeString('currency', { description: 'The organization’s currency, ISO 4217, of all amounts.' }),
    horizonDays: t.exposeInt('horizonDays', { description: 'Forecast horizon in days: 60.' }),
    historyFrom: t.expose('historyFrom', {
      type: 'Date',
      nullable: true,
      description:
        'First UTC day of the history: a year before `historyTo`, or the first day with cost. Null without history.',
    }),
    historyTo: t.expose('historyTo', {
      type: 'Date',
      nullable: true,
      description:
        'Last UTC day of the history: the last day with complete bills for all connected accounts, except those whose bills ended a month before the others. Null without history.',
    }),
    completeThrough: t.expose('completeThrough', completeText),
    lowHistory: t.exposeBoolean('lowHistory', { description: lowHistoryText }),
    total: t.expose('total', { type: Total, description: 'The whole horizon.' }),
    points: t.expose('points', {
      type: [Point],
      description: 'The 60 days after `historyTo`, in order. Empty without history.',
    }),
    unconverted: t.expose('unconverted', {
      type: [UnconvertedType],
      description: 'Costs without an exchange rate for their month, excluded from the history.',
    }),
  }),
});

const Month = builder.objectRef<AccuracyMonth>('ForecastAccuracyMonth').implement({
  description: 'Forecast of a month, made on the day before the month began, compared with the actual cost.',
  fields: (t) => ({
    month: t.expose('month', { type: 'Month', description: 'The UTC month.' }),
    forecast: t.expose('forecast', {
      type: 'Decimal',
      nullable: true,
      description: `Forecast based only on the days before the month, ${moneyText}. Null with fewer than 14 such days, or if no day of the month is known.`,
    }),
    actual: t.expose('actual', {
      type: 'Decimal',
      nullable: true,
      description: `Actual cost of the days with known costs, ${moneyText}, in the accounts known when the month began. Null if no day is known.`,
    }),
    errorPercent: t.expose('errorPercent', {
      type: 'Decimal',
      nullable: true,
      description:
        '`forecast` minus `actual` in percent of `actual`, 2 decimals; positive if the forecast was too high. Null if `actual` is 0 or unknown.',
    }),
  }),
});

/** `/forecast/accuracy`. */
export const AccuracyType = builder.objectRef<Accuracy>('ForecastAccuracy').implement({
  description: 'Accuracy of a model over the past six months.',
  fields: (t) => ({
    model: t.expose('model', { type: ModelEnum, description: 'Evaluated model.' }),
    currency: t.exposeString('currency', { description: 'The organization’s currency, ISO 4217, of all amounts.' }),
    completeThrough: t.expose('completeThrough', completeText),
    months: t.expose('months', { type: [Month], description: 'The last six complete months, earliest first.' }),
    mape: t.expose('mape', {
      type: 'Decimal',
      nullable: true,
      description: 'Mean absolute percentage error of the months, 2 decimals. Null if there are none.',
    }),
    coverage80: t.expose('coverage80', {
      type: 'Decimal',
      nullable: true,
      description:
        'Share of days inside the 80% interval in percent, 2 decimals, over weekly forecasts of the past half year. Null if there are none.',
    }),
    coverage95: t.expose('coverage95', {
      type: 'Decimal',
      nullable: true,
      description:
        'Share of days inside the 95% interval in percent, 2 decimals, over the same forecasts. Null if there are none.',
    }),
  }),
});
