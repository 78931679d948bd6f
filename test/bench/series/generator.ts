import { addDays, type Day } from '../../../src/kit/time/period.ts';
import { planEvents, type EventPlan, type LabelledEvent, type Plot } from './events.ts';
import { randomOf, type Random } from './random.ts';
import { drawWeek, isFeeDay, isHoliday, weekdayOf, type FeeDay, type Week } from './shapes.ts';

/** `standard`: normal noise, as in most bills. `hard`: heavy-tailed noise, credits, changing weekends, growth of up to
 *  30% per month, fees on the first or last business day. */
export type Mix = 'standard' | 'hard';

/** Seeds not used for tuning; goals are measured only on them. Used for tuning: 777, 99, 5150, 11 to 16. Evaluated
 *  before the last change of the detector, and therefore not used for goals: 4242, 2024, 31337, 60601, 8128, 271828, 7079, 16180,
 *  90210, 36107, 52901, 64891, 40961, 73063, 98731. Evaluated after it: 23719, 55441, 81173. */
export const freshSeeds = [29173, 61403, 97531] as const;

/** A generated daily cost of one account and service, with its events. */
export interface CostSeries {
  readonly key: string;
  readonly firstDay: Day;
  /** Dollars per day, without gaps. Credits can make a day negative. */
  readonly costs: readonly number[];
  readonly events: readonly LabelledEvent[];
  /** The same costs without drops and returns. An alert for both is not caused by a drop. */
  readonly withoutDrops: readonly number[];
  /** The same costs without the monthly fee. */
  readonly withoutFees: readonly number[];
  /** The cost of each day without noise, irregular jobs and credits, but with events, week, growth, holidays and
   *  fees. */
  readonly meant: readonly number[];
  /** Day numbers of monthly fees of at least 10% of the level, in order. */
  readonly fees: readonly number[];
}

export interface GeneratorOptions {
  readonly mix: Mix;
  readonly seed: number;
  /** The most frequent kind of events; default: `mixed`. */
  readonly plot?: Plot;
  /** Number of series; default: 100. */
  readonly count?: number;
  /** Length in days; default: 450, until March 26, 2026. */
  readonly days?: number;
  /** Days at the end without events; default: 0. Forecasts are measured there. */
  readonly quietDays?: number;
}

const firstDay: Day = '2025-01-01';

/** Cost series like those of accounts, with their events. The same options return the same series. */
export function generateSeries(options: GeneratorOptions): CostSeries[] {
  const { mix, seed, plot, count = 100, days = 450, quietDays = 0 } = options;
  return Array.from({ length: count }, (_, index) => {
    const key = `${mix}/${seed}/${index}`;
    const plan = planEvents(randomOf(`${key}/events`), days, quietDays, plot);
    const random = randomOf(key);
    return { key, firstDay, events: plan.events, ...drawCosts(random, drawTraits(random, mix, days), plan) };
  });
}

interface Traits {
  /** Dollars per day in the middle of the series. */
  readonly level: number;
  /** Natural logarithm of the daily growth. */
  readonly growth: number;
  readonly week: Week;
  /** From `weekChangesAt` on. */
  readonly laterWeek: Week;
  readonly weekChangesAt: number;
  readonly noise: number;
  readonly memory: number;
  readonly isHeavy: boolean;
  readonly fee: { readonly on: FeeDay; readonly amount: number; readonly from: number } | null;
  readonly holiday: number;
  /** Share of days on which an irregular batch job adds to usage, and the maximum share that it adds. */
  readonly jobs: { readonly chance: number; readonly size: number };
  readonly creditChance: number;
}

function drawTraits(random: Random, mix: Mix, days: number): Traits {
  const isHard = mix === 'hard';
  const week = drawWeek(random);
  const weekChanges = isHard && random.chance(0.2);
  const level = random.ratio(25, 3000);
  return {
    level,
    growth: drawGrowth(random, isHard),
    week,
    laterWeek: weekChanges ? drawWeek(random) : week,
    weekChangesAt: random.whole(60, days - 30),
    noise: isHard ? random.ratio(0.012, 0.06) : random.ratio(0.012, 0.07),
    memory: random.between(0, 0.5),
    isHeavy: isHard,
    fee: drawFee(random, { isHard, level, days }),
    holiday: random.chance(0.6) ? random.between(0.6, 0.95) : 1,
    jobs: { chance: random.chance(0.3) ? random.between(0.02, 0.15) : 0, size: random.between(0.05, 0.2) },
    creditChance: isHard && random.chance(0.4) ? random.between(0.005, 0.03) : 0,
  };
}

/** −2 to +6% per month; in the hard mix, one in seven series grows by 15 to 30%. */
function drawGrowth(random: Random, isHard: boolean): number {
  const month = isHard && random.chance(0.15) ? random.between(0.15, 0.3) : random.between(-0.02, 0.06);
  return Math.log(1 + month) / 30;
}

/** Two in five series have a fee; one in five of the fees starts later than the series. */
function drawFee(
  random: Random,
  { isHard, level, days }: { isHard: boolean; level: number; days: number },
): Traits['fee'] {
  if (!random.chance(0.4)) return null;
  const kind = random.unit();
  const business: FeeDay = kind < 0.3 ? 'firstBusiness' : 'lastBusiness';
  const on = isHard && kind < 0.6 ? business : 'first';
  const from = random.chance(0.2) ? random.whole(60, days - 60) : 0;
  return { on, from, amount: level * random.between(0.2, 1.5) };
}

type Costs = Pick<CostSeries, 'costs' | 'meant' | 'withoutDrops' | 'withoutFees' | 'fees'>;

function drawCosts(random: Random, traits: Traits, { factors, undropped }: EventPlan): Costs {
  const costs: number[] = [];
  const meant: number[] = [];
  const withoutDrops: number[] = [];
  const withoutFees: number[] = [];
  const fees: number[] = [];
  let noise = 0;
  for (const [index, factor] of factors.entries()) {
    const shock = (traits.isHeavy ? random.heavy() : random.normal()) * Math.sqrt(1 - traits.memory ** 2);
    noise = traits.memory * noise + shock;
    const regular = usageOn(traits, index);
    const usual = regular * jobOn(random, traits) * Math.exp(traits.noise * noise);
    const fee = factor > 0 ? feeOn(random, traits, index) : 0;
    if (fee > 0) fees.push(index);
    const credited = random.chance(traits.creditChance) && factor > 0 ? random.between(0.2, 1.1) : 0;
    const paid = usual * (1 - credited);
    costs.push(inCents(paid * factor + fee));
    meant.push(inCents(regular * factor + fee));
    withoutDrops.push(inCents(paid * (undropped[index] ?? 1) + fee));
    withoutFees.push(inCents(paid * factor));
  }
  return { costs, meant, withoutDrops, withoutFees, fees };
}

function inCents(cost: number): number {
  return Math.round(cost * 100) / 100;
}

function jobOn(random: Random, { jobs }: Traits): number {
  return random.chance(jobs.chance) ? 1 + random.between(0, jobs.size) : 1;
}

/** Without noise, jobs and events. */
function usageOn(traits: Traits, index: number): number {
  const day = addDays(firstDay, index);
  const week = index < traits.weekChangesAt ? traits.week : traits.laterWeek;
  const holiday = isHoliday(day) ? traits.holiday : 1;
  return traits.level * Math.exp(traits.growth * (index - 225)) * (week[weekdayOf(day)] ?? 1) * holiday;
}

function feeOn(random: Random, { fee }: Traits, index: number): number {
  if (fee === null || index < fee.from || !isFeeDay(fee.on, addDays(firstDay, index))) return 0;
  return fee.amount * random.between(0.97, 1.03);
}
