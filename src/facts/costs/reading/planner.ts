import { grainCodes, rollups, type RollupDimension } from '../../../engine/codebook.ts';
import type { Day, DayRange } from '../../../kit/time/period.ts';
import { firstDay, splitRange } from '../../../kit/time/period.ts';
import { dimensionInfo, foldedTagKey, tagKeyOf, type Dimension } from '../dimensions.ts';
import type { CostQuery } from '../query.ts';

// Plans where a query is read from: the smallest PostgreSQL rollup that holds all columns it groups and filters by, at month
// grain for whole months and at day grain at the ends of the range; otherwise the facts, through the engine.

/** Charge days read from one source, half-open. */
export type Span = RollupSpan | FactSpan;

/** At month grain, both days are the first of a month. */
export interface RollupSpan extends DayRange {
  readonly from: 'rollups';
  readonly rollup: number;
  readonly grain: number;
}

/** Days read from the facts. */
export interface FactSpan extends DayRange {
  readonly from: 'facts';
}

/** Plans the sources of a query.
 *  @param isRolledUp whether the rollups hold the query's tag keys in all accounts and billing periods it touches; unused
 *    without a tag */
export function planReading(query: CostQuery, isRolledUp: boolean): Span[] {
  const rollup = smallestRollup(query);
  if (rollup === null || (tagKeysOf(query).length > 0 && !isRolledUp)) return [facts(query.range)];
  return spansOf(rollup, query);
}

/** Returns the smallest rollup that can answer a query, provided its tag keys are rolled up; null: only the facts can. */
export function smallestRollup(query: CostQuery): Rollup | null {
  const needed = neededColumns(query);
  if (needed === null) return null;
  return Object.values(rollups).find(({ holds }) => needed.every((column) => holdsColumn(holds, column))) ?? null;
}

/** Returns the folded tag keys that a query groups or filters by. */
export function tagKeysOf(query: CostQuery): string[] {
  const keys = dimensionsOf(query).flatMap((dimension) => tagKeyOf(dimension) ?? []);
  return [...new Set(keys.map(foldedTagKey))];
}

/** Returns all dimensions that a query groups or filters by. */
function dimensionsOf({ dimensions, include, exclude }: CostQuery): Dimension[] {
  return [...dimensions, ...[...include, ...exclude].map(({ dimension }) => dimension)];
}

type Rollup = (typeof rollups)[keyof typeof rollups];

/** Returns the rollup columns a query needs, apart from those that all rollups have; null if no rollup has one of them. */
function neededColumns(query: CostQuery): RollupDimension[] | null {
  const needed: RollupDimension[] = [];
  for (const dimension of dimensionsOf(query)) {
    if (tagKeyOf(dimension) !== null) needed.push('tag_set_id');
    else {
      const column = columnOf(dimension);
      if (column === null) return null;
      if (column !== 'account_id' && column !== 'provider' && column !== 'charge_category') needed.push(column);
    }
  }
  return needed;
}

function columnOf(dimension: Dimension) {
  if (dimension === 'tag' || dimension.startsWith('tag:')) return null;
  return dimensionInfo(dimension as Exclude<Dimension, 'tag' | `tag:${string}`>).rollup?.column ?? null;
}

function holdsColumn(holds: readonly RollupDimension[], column: RollupDimension): boolean {
  return holds.includes(column);
}

function spansOf({ code, isDaily }: Rollup, { bucket, range }: CostQuery): Span[] {
  const days = (part: DayRange): Span =>
    isDaily ? { from: 'rollups', rollup: code, grain: grainCodes.day, ...part } : facts(part);
  if (bucket === 'day') return [days(range)];
  const { months, ends } = splitRange(range);
  if (months === null) return ends.map(days);
  const whole = { start: firstDay(months.start), end: firstDay(months.end) };
  return [{ from: 'rollups', rollup: code, grain: grainCodes.month, ...whole }, ...ends.map(days)];
}

function facts({ start, end }: { start: Day; end: Day }): FactSpan {
  return { from: 'facts', start, end };
}

/** Returns whether a query joins more than the few groups of an answer: tags, filters by name, or groups per day. */
export function joinsManyRows({ dimensions, include, exclude, bucket }: CostQuery): boolean {
  const isJoined = (dimension: Dimension) =>
    tagKeyOf(dimension) !== null ||
    (dimension !== 'provider' && dimension !== 'charge_category' && dimension !== 'account');
  const filtered = [...include, ...exclude].some(({ dimension }) => isJoined(dimension));
  return (
    filtered ||
    dimensions.some((dimension) => tagKeyOf(dimension) !== null) ||
    (bucket === 'day' && dimensions.length > 0)
  );
}
