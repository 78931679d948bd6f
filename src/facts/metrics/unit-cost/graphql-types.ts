import { answerType, day, days, decimal, int, listOf, of, orNull, text, type Answer } from '../../../graph/answers.ts';
import { itemsOf, sizedBy } from '../../../graph/complexity.ts';
import { seriesLength } from '../../costs/question.ts';
import type { UnitCostArgs } from './question.ts';
import { CostAnswerType, costOrZero, GranularityType, moneyText } from '../../costs/graphql-types.ts';
import { MetricDirectionType } from '../graphql-types.ts';

const UnitCostMetricType = answerType('UnitCostMetric', 'The metric of a unit cost.', {
  key: text('Its key.'),
  name: text('Display name.'),
  unit: text('Name of one unit, such as `order`.'),
  direction: of(MetricDirectionType, 'Which change in the cost per unit is an improvement.'),
});

const UnitCostPointType = answerType('UnitCostPoint', 'Cost, quantity and cost per unit of a day or month.', {
  date: day('The day, or the first day of the month inside the range.'),
  cost: costOrZero,
  quantity: orNull(decimal('Quantity of the metric, rounded to 6 decimals. Null without values.')),
  costPerUnit: orNull(
    decimal(
      '`cost`, unrounded, divided by `quantity`, rounded to 12 decimals. Null without values, for a quantity of 0, and if costs of the day or month have no exchange rate or a bill is missing.',
    ),
  ),
  daysWithoutValues: int('Number of its days up to today without a value of the metric.'),
});

/** The answer of `unitCost`. */
export const UnitCostType = answerType(
  'UnitCost',
  'Cost per unit of a metric: the costs in the caller’s scope divided by the organization’s quantities.',
  {
    metric: of(UnitCostMetricType, 'The metric.'),
    granularity: of(GranularityType, 'The length of the points’ periods.'),
    totalQuantity: orNull(decimal('Quantity of the metric in the range, rounded to 6 decimals. Null without values.')),
    measuredCost: decimal(`Cost of the days or months with values, ${moneyText}.`),
    costPerUnit: orNull(
      decimal(
        '`measuredCost`, unrounded, divided by `totalQuantity`, rounded to 12 decimals. Null without values, for a quantity of 0, and if costs of the days or months with values have no exchange rate or a bill is missing.',
      ),
    ),
    points: listOf(UnitCostPointType, 'Every day or month of the range, in order. Their costs add up to `totalCost`.', {
      ...sizedBy<UnitCostArgs>((args) => itemsOf(seriesLength(args, args.granularity ?? 'monthly'))),
      inTurns: true,
    }),
    daysWithoutValues: days('Days of the range up to today without a value of the metric.'),
  },
  CostAnswerType,
);
export type UnitCost = Answer<typeof UnitCostType>;
