import { grainCodes, rollups, virtualRollups, type RollupDimension } from '../../../engine/codebook.ts';
import type { Day, DayRange } from '../../../kit/time/period.ts';
import { firstDay, splitRange } from '../../../kit/time/period.ts';
import { dimensionInfo, foldedTagKey, isNamed, tagKeyOf, virtualKeyOf, type Dimension } from '../dimensions.ts';
import type { CostQuery } from '../query.ts';

// Plans where a query is read from: the smallest PostgreSQL rollup that holds all columns it groups and filters by, at month
// grain for whole months and at day grain at the ends of the range; otherwise the facts, through the engine.

/** Charge days read from one source, half-open. */
export type Span = RollupSpan | FactSpan;

/** Days read from a rollup. At month grain, both ends are the first of a month. */
export interface RollupSpan extends DayRange {
  readonly from: 'rollups';
  readonly rollup: number;
  readonly grain: number;
}

/** Days read from the facts. */
export interface FactSpan extends DayRange {
  readonly from: 'facts';
}

/** The evaluation of a virtual tag that answers use. */
export interface LiveVirtualTag {
  readonly id: string;
  readonly revision: number;
  /** Code of its rollup. */
  readonly rollup: number;
  /** Digest of its splits. */
  readonly splits: string;
}

/** Virtual tags by key. */
export type LiveVirtualTags = ReadonlyMap<string, LiveVirtualTag>;

/** Returns the code of the rollup of a virtual tag's revision.
 *  @param slot the tag's place among those of its organization */
export function virtualRollup(slot: number, revision: number): number {
  return virtualRollups.first + 2 * slot + (revision % 2);
}

/** Plans the sources of a query from its smallest rollup; null: from the facts only. */
export function planReading(query: CostQuery, rollup: Rollup | null): Span[] {
  return rollup === null ? [facts(query.range)] : spansOf(rollup, query);
}

/** Returns the smallest rollup that can answer a query, provided its tag keys are rolled up and its virtual tag is evaluated;
 *  null: only the facts can. */
export function smallestRollup(query: CostQuery, virtualTags: LiveVirtualTags): Rollup | null {
  const needed = neededColumns(query);
  if (needed === null) return null;
  const [key, ...others] = virtualKeysOf(query);
  if (key === undefined)
    return Object.values(rollups).find(({ holds }) => needed.every((column) => holdsColumn(holds, column))) ?? null;
  const live = virtualTags.get(key);
  return live && others.length === 0 && needed.length === 0 ? { code: live.rollup, isDaily: true } : null;
}

/** Returns the keys of the virtual tags that a query groups or filters by. */
export function virtualKeysOf(query: CostQuery): string[] {
  return [...new Set(dimensionsOf(query).flatMap((dimension) => virtualKeyOf(dimension) ?? []))];
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

/** A rollup that can answer a query. */
export interface Rollup {
  /** Code in `cost_rollups.rollup`. */
  readonly code: number;
  readonly isDaily: boolean;
}

/** Returns the rollup columns a query needs, apart from those that all rollups have and the value of a virtual tag; null if no
 *  rollup has one of them. */
function neededColumns(query: CostQuery): RollupDimension[] | null {
  const needed: RollupDimension[] = [];
  for (const dimension of dimensionsOf(query)) {
    if (tagKeyOf(dimension) !== null) needed.push('tag_set_id');
    if (tagKeyOf(dimension) !== null || virtualKeyOf(dimension) !== null) continue;
    const column = isNamed(dimension) ? (dimensionInfo(dimension).rollup?.column ?? null) : null;
    if (column === null) return null;
    if (column !== 'account_id' && column !== 'provider' && column !== 'charge_category') needed.push(column);
  }
  return needed;
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
    dimension !== 'provider' && dimension !== 'charge_category' && dimension !== 'account';
  const filtered = [...include, ...exclude].some(({ dimension }) => isJoined(dimension));
  return filtered || dimensions.some((dimension) => !isNamed(dimension)) || (bucket === 'day' && dimensions.length > 0);
}
