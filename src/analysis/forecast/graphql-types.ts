import { provisionalRateList, UnconvertedType } from '../../facts/costs/graphql-types.ts';
import {
  answerType,
  day,
  decimal,
  flag,
  int,
  listOf,
  month,
  of,
  orNull,
  text,
  type Answer,
} from '../../graph/answers.ts';
import { wordEnum } from '../../graph/stored-words.ts';

export const ModelEnum = wordEnum(
  'ForecastModel',
  'Forecast model. Both handle weekdays and monthly charges, and ignore single outliers.',
  {
    linear: 'Linear: the long-term trend, continued from the level of the last three weeks.',
    seasonal:
      'The daily median of the linear model, the Theta method and damped Holt–Winters with a weekly season. Adapts to changes faster.',
  },
);

const moneyText = 'in `currency`, rounded to 6 decimals';

/** Bounds of an expected cost: 80% of cases lie between `lower80` and `upper80`, 95% between the others. */
const bounds = {
  lower80: decimal(`Lower bound of the 80% interval, ${moneyText}; never below 0.`),
  upper80: decimal(`Upper bound of the 80% interval, ${moneyText}; never below 0.`),
  lower95: decimal(`Lower bound of the 95% interval, ${moneyText}; never below 0.`),
  upper95: decimal(`Upper bound of the 95% interval, ${moneyText}; never below 0.`),
};
const nullableBounds = {
  lower80: orNull(bounds.lower80),
  upper80: orNull(bounds.upper80),
  lower95: orNull(bounds.lower95),
  upper95: orNull(bounds.upper95),
};

const Total = answerType(
  'ForecastTotal',
  'Projected cost of the whole horizon. Its intervals are narrower than the sum of the daily ones, because daily errors partly cancel. All null without history.',
  { cost: orNull(decimal(`Total of the points, ${moneyText}.`)), ...nullableBounds },
);

const Point = answerType('ForecastPoint', 'Projected cost of a day.', {
  date: day('The UTC day.'),
  cost: decimal(`Expected EffectiveCost ${moneyText}.`),
  ...nullableBounds,
});

const Service = answerType('ForecastService', 'Projected cost of a service over the whole horizon.', {
  service: orNull(text('Service name. Null for all other services together.')),
  cost: decimal(`Expected EffectiveCost ${moneyText}.`),
});

const CommitmentEnd = answerType(
  'ForecastCommitmentEnd',
  'End of a commitment within the forecast, for one service. From then on, its usage is forecast at on-demand prices.',
  {
    date: day('The first UTC day without the commitment.'),
    commitmentId: text('FOCUS CommitmentDiscountId.'),
    name: orNull(text('Its name at the provider; null without one.')),
    resourceType: orNull(text('Its type at the provider; null if unknown.')),
    region: orNull(text('FOCUS RegionId, or `global`; null if unknown.')),
    termMonths: orNull(int('Its term in months; null if unknown.')),
    service: text('Service name.'),
    dailyChange: decimal(`Change in the daily cost ${moneyText}, from the average of the last 28 days.`),
  },
);

const model = of(ModelEnum, 'Forecast model.');
const currency = text('The organization’s currency, ISO 4217, of all amounts.');
const completeThrough = orNull(
  day('Last UTC day with complete bills for all connected accounts in the query. Null if there is none.'),
);

/** `/forecast`. */
export const ForecastType = answerType('Forecast', 'Projected cost of the next 60 days.', {
  model,
  currency,
  horizonDays: int('Forecast horizon in days: 60.'),
  historyFrom: orNull(
    day('First UTC day of the history: a year before `historyTo`, or the first day with cost. Null without history.'),
  ),
  historyTo: orNull(
    day(
      'Last UTC day of the history: the last day with complete bills for all connected accounts, except those whose bills ended a month before the others. Null without history.',
    ),
  ),
  completeThrough,
  lowHistory: flag(
    'True with fewer than 28 days of history: the forecast is then a mean, per weekday with at least 14 days, and unreliable.',
  ),
  total: of(Total, 'The whole horizon.'),
  points: listOf(Point, 'The 60 days after `historyTo`, in order. Empty without history.'),
  services: listOf(
    Service,
    'The services with the highest costs of the last 91 days, at most eleven, highest forecast first; then all others together. They sum to the total. Empty without history.',
  ),
  commitmentEnds: listOf(
    CommitmentEnd,
    'Commitments that end within the forecast, by date. Renewals are not assumed. Known from the provider’s list or a FOCUS Contract Commitment file.',
  ),
  unconverted: listOf(UnconvertedType, 'Costs without an exchange rate for their month, excluded from the history.'),
  provisionalRates: provisionalRateList,
});
export type Forecast = Answer<typeof ForecastType>;

const Month = answerType(
  'ForecastAccuracyMonth',
  'Forecast of a month, made on the day before the month began, compared with the actual cost.',
  {
    month: month('The UTC month.'),
    forecast: orNull(
      decimal(
        `Forecast based only on the days before the month, ${moneyText}. Null with fewer than 14 such days, or if no day of the month is known.`,
      ),
    ),
    actual: orNull(
      decimal(
        `Actual cost of the days with known costs, ${moneyText}, in the accounts known when the month began. Null if no day is known.`,
      ),
    ),
    errorPercent: orNull(
      decimal(
        '`forecast` minus `actual` as a percentage of `actual`, 2 decimals; positive if the forecast was too high. Null if `actual` is 0 or unknown.',
      ),
    ),
  },
);
export type AccuracyMonth = Answer<typeof Month>;

/** `/forecast/accuracy`. */
export const AccuracyType = answerType('ForecastAccuracy', 'Accuracy of a model over the past six months.', {
  model: of(ModelEnum, 'Evaluated model.'),
  currency,
  completeThrough,
  months: listOf(Month, 'The last six complete months, earliest first.'),
  mape: orNull(decimal('Mean absolute percentage error of the months, 2 decimals. Null if there are none.')),
  coverage80: orNull(
    decimal(
      'Share of days inside the 80% interval in percent, 2 decimals, over weekly forecasts of the past half year. Null if there are none.',
    ),
  ),
  coverage95: orNull(
    decimal(
      'Share of days inside the 95% interval in percent, 2 decimals, over the same forecasts. Null if there are none.',
    ),
  ),
});
export type Accuracy = Answer<typeof AccuracyType>;
