import type { Day } from '../../kit/period.ts';
import { addMonths, firstDay, monthOf, splitRange } from '../../kit/period.ts';
import type { CostQuestion } from './question.ts';

/** The groupings that `cost_rollups` holds, by their codes there. Each also holds account, provider, currency and charge
 *  category, and each holds every charge. A tag set there is the charge's own less the keys that are not rolled up. */
export const rollupCodes = {
  total: 1,
  service: 2,
  subAccount: 3,
  region: 4,
  serviceRegion: 5,
  subAccountServiceRegion: 6,
  tagSet: 7,
  tagSetServiceRegion: 8,
} as const;

/** The grains that `cost_rollups` holds, by their codes there. */
export const grainCodes = { day: 1, month: 2 } as const;

/** What an answer's lines are per: nothing, each day, or each month. */
export type Bucket = 'none' | 'day' | 'month';

/** A dimension that not every rollup holds. */
export type Dimension = 'service' | 'region' | 'subAccount';

/** The rollups that cross dimensions are kept by month alone: by day they are nearly as long as the facts. */
export const monthlyOnly: ReadonlySet<number> = new Set([
  rollupCodes.subAccountServiceRegion,
  rollupCodes.tagSetServiceRegion,
]);

/** Charge days to read from one place, half-open; at month grain both are first days of months. */
export type Span =
  | {
      readonly from: 'rollups';
      readonly rollup: number;
      readonly grain: number;
      readonly start: Day;
      readonly end: Day;
    }
  | { readonly from: 'facts'; readonly start: Day; readonly end: Day };

/** Which of the dimensions the answer is grouped by. */
export function groupDimension(question: CostQuestion): Dimension | null {
  if (question.view === 'by-account') return 'subAccount';
  if (question.view === 'by-service' || question.groupBy === 'service') return 'service';
  if (question.view === 'by-region' || question.groupBy === 'region') return 'region';
  return null;
}

/** What the lines of the answer are per. */
export function bucketOf(question: CostQuestion): Bucket {
  if (question.view === 'daily' || question.granularity === 'daily') return 'day';
  return question.view === 'trend' || question.granularity === 'monthly' ? 'month' : 'none';
}

/** True where a rollup could answer, so that it matters whether the tag key is rolled up. */
export function mayUseTagRollup(question: CostQuestion): boolean {
  return question.tag !== null && !dimensionsOf(question).has('subAccount');
}

/** True where more is joined than the few groups of an answer: tags, filters by name, groups of every day. */
export function joinsManyRows(question: CostQuestion): boolean {
  const { tag, services, regions, subAccountIds, groupBy } = question;
  return [tag, services, regions, subAccountIds, groupBy].some((part) => part !== null);
}

/** Where an answer is read from: the smallest rollup that holds what the question groups and filters by, whole months at
 *  month grain and days at the ends. The facts, where none does.
 *  @param isRolledUp whether the tag key is in the tag rollups of all accounts and periods asked; unused without a tag */
export function planReading(question: CostQuestion, isRolledUp: boolean): Span[] {
  const { start, end } = readRange(question);
  if (question.tag !== null && !(isRolledUp && mayUseTagRollup(question))) return [{ from: 'facts', start, end }];
  return spansOf(smallestRollup(question), bucketOf(question), start, end);
}

/** The charge days to read: a trend also needs the month before. */
export function readRange(question: CostQuestion): { start: Day; end: Day } {
  const { start, end } = question.range;
  return { start: question.view === 'trend' ? firstDay(addMonths(monthOf(start), -1)) : start, end };
}

function dimensionsOf(question: CostQuestion): ReadonlySet<Dimension> {
  const dimensions = new Set<Dimension>();
  const group = groupDimension(question);
  if (group !== null) dimensions.add(group);
  if (question.services !== null) dimensions.add('service');
  if (question.regions !== null) dimensions.add('region');
  if (question.subAccountIds !== null) dimensions.add('subAccount');
  return dimensions;
}

function smallestRollup(question: CostQuestion): number {
  const dimensions = dimensionsOf(question);
  if (question.tag !== null) return dimensions.size === 0 ? rollupCodes.tagSet : rollupCodes.tagSetServiceRegion;
  if (dimensions.has('subAccount')) {
    return dimensions.size === 1 ? rollupCodes.subAccount : rollupCodes.subAccountServiceRegion;
  }
  if (dimensions.size === 2) return rollupCodes.serviceRegion;
  if (dimensions.has('service')) return rollupCodes.service;
  return dimensions.has('region') ? rollupCodes.region : rollupCodes.total;
}

function spansOf(rollup: number, bucket: Bucket, start: Day, end: Day): Span[] {
  const days = (range: { start: Day; end: Day }): Span =>
    monthlyOnly.has(rollup)
      ? { from: 'facts', ...range }
      : { from: 'rollups', rollup, grain: grainCodes.day, ...range };
  if (bucket === 'day') return [days({ start, end })];
  const { months, ends } = splitRange({ start, end });
  if (months === null) return ends.map(days);
  const whole = { start: firstDay(months.start), end: firstDay(months.end) };
  return [{ from: 'rollups', rollup, grain: grainCodes.month, ...whole }, ...ends.map(days)];
}
