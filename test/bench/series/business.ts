import { addDays, daysBetween, daysIn, lastDay, monthOf, type Day } from '../../../src/kit/time/period.ts';
import type { LabelledEvent } from './events.ts';
import { randomOf, type Random } from './random.ts';
import { drawWeek, isFeeDay, isHoliday, weekdayOf } from './shapes.ts';

/** How a business causes costs, beyond noise, weeks and growth. */
export type BusinessStyle = (typeof businessStyles)[number];

/** `quarterly`: a fee each quarter. `commitments`: usage becomes cheaper for the term of a commitment, which has a monthly
 *  fee. `migration`: a service is replaced within months. `switched`: an environment that is on in some weeks only.
 *  `fortnightly`: a job every second week. `month_end`: jobs on the last three business days. `rollout`: a service that
 *  grows for up to two months and settles. `campaigns`: holidays and Black Friday. `weekend`: a job on one weekday only. `levels`:
 *  changes of level by a fifth to a half. */
export const businessStyles = [
  'quarterly',
  'commitments',
  'migration',
  'switched',
  'fortnightly',
  'month_end',
  'rollout',
  'campaigns',
  'weekend',
  'levels',
] as const;

/** A generated daily cost of one account and service. */
export interface BusinessSeries {
  readonly key: string;
  readonly style: BusinessStyle;
  readonly firstDay: Day;
  /** Dollars per day. */
  readonly costs: readonly number[];
  /** Events that deserve an alert; everything else is business as usual. */
  readonly events: readonly LabelledEvent[];
  /** Other times when costs rise: an alert that begins in them is neither right nor wrong. */
  readonly rises: readonly Days[];
}

/** Days by number, both included. */
export interface Days {
  readonly start: number;
  readonly end: number;
}

const firstDay: Day = '2025-01-01';

interface Shape {
  /** Factor of usage on a day. */
  readonly usage: (at: number, day: Day) => number;
  /** Cost in addition to usage, in levels. */
  readonly fee?: (at: number, day: Day) => number;
  readonly events?: readonly LabelledEvent[];
  readonly rises?: readonly Days[];
  /** Whether usage is the same on all weekdays. */
  readonly isFlat?: boolean;
}

/** Series of all styles. The same options return the same series.
 *  @param count number of series per style
 *  @param days length */
export function generateBusiness(seed: number, count: number, days: number): BusinessSeries[] {
  return businessStyles.flatMap((style) =>
    Array.from({ length: count }, (_, index) => {
      const key = `${style}/${seed}/${index}`;
      const random = randomOf(key);
      const shape = shapes[style](random, days);
      return {
        key,
        style,
        firstDay,
        costs: draw(random, shape, days),
        events: shape.events ?? [],
        rises: shape.rises ?? [],
      };
    }),
  );
}

function draw(random: Random, { usage, fee, isFlat }: Shape, days: number): number[] {
  const level = random.ratio(25, 3000);
  const week = isFlat ? [1, 1, 1, 1, 1, 1, 1] : drawWeek(random);
  const growth = Math.log(1 + random.between(-0.02, 0.04)) / 30;
  const noise = random.ratio(0.012, 0.06);
  const memory = random.between(0, 0.5);
  let shock = 0;
  return Array.from({ length: days }, (_, at) => {
    const day = addDays(firstDay, at);
    shock = memory * shock + random.normal() * Math.sqrt(1 - memory ** 2);
    const used = usage(at, day) * (week[weekdayOf(day)] ?? 1) * Math.exp(growth * (at - days / 2) + noise * shock);
    return Math.round(level * (used + (fee?.(at, day) ?? 0)) * 100) / 100;
  });
}

const shapes: Record<BusinessStyle, (random: Random, days: number) => Shape> = {
  quarterly(random) {
    const amount = random.between(2, 12);
    const first = random.whole(0, 2);
    const monthOfYear = (day: Day) => Number(monthOf(day).slice(5)) - 1;
    return {
      usage: () => 1,
      fee: (_, day) => (isFeeDay('first', day) && monthOfYear(day) % 3 === first ? amount : 0),
    };
  },
  commitments(random, days) {
    const start = random.whole(60, days - 120);
    const end = start + 365;
    const saving = random.between(0.2, 0.5);
    const fee = 30 * saving * random.between(0.4, 0.8);
    const isOn = (at: number) => at >= start && at < end;
    return {
      usage: (at) => (isOn(at) ? 1 - saving : 1),
      fee: (at, day) => (isOn(at) && isFeeDay('first', day) ? fee : 0),
    };
  },
  migration(random, days) {
    const start = random.whole(120, days - 90);
    const length = random.whole(45, 120);
    const rest = random.between(0, 0.3);
    const isArrival = random.chance(0.4);
    const left = (at: number) => 1 - (1 - rest) * Math.min(1, Math.max(0, (at - start) / length));
    return {
      usage: (at) => (isArrival ? 1.3 - left(at) : left(at)),
      rises: isArrival ? [{ start, end: start + length }] : [],
    };
  },
  switched(random, days) {
    const chance = random.between(0.4, 0.7);
    const weeks = Array.from({ length: Math.ceil(days / 7) + 1 }, () => random.chance(chance));
    const offset = random.whole(0, 6);
    const rest = random.between(0.03, 0.2);
    return { usage: (at) => (weeks[Math.floor((at + offset) / 7)] ? 1 : rest) };
  },
  fortnightly(random) {
    const offset = random.whole(0, 13);
    const amount = random.between(0.4, 3);
    return { usage: () => 1, fee: (at) => (at % 14 === offset ? amount * random.between(0.95, 1.05) : 0) };
  },
  month_end(random) {
    const factor = random.between(1.4, 3);
    const isLate = (day: Day) => isBusinessDay(day) && businessDaysAfter(day) < 3;
    return { usage: (_, day) => (isLate(day) ? factor : 1) };
  },
  rollout(random, days) {
    const start = random.whole(60, days - 130);
    const length = random.whole(20, 60);
    return {
      usage: (at) => (at < start ? 0 : Math.min(1, (at - start + 1) / length)),
      events: [{ kind: 'new_service', start, end: start + length, factor: 1 }],
      rises: [{ start: start + 8, end: start + length }],
    };
  },
  campaigns(random) {
    const holiday = random.between(0.5, 0.9);
    const friday = random.between(1.5, 3);
    const isCampaign = (day: Day) => day.slice(5) >= '11-24' && day.slice(5) <= '12-01';
    const start = daysBetween(firstDay, '2025-11-24');
    return {
      usage: (_, day) => (isCampaign(day) ? friday : isHoliday(day) ? holiday : 1),
      rises: [{ start, end: start + 7 }],
    };
  },
  weekend(random) {
    const weekday = random.whole(0, 6);
    return { usage: (_, day) => (weekdayOf(day) === weekday ? 1 : 0), isFlat: true };
  },
  levels(random, days) {
    const changes: LabelledEvent[] = [];
    const levels = [1];
    let at = random.whole(60, 120);
    while (at < days) {
      const isRise = random.chance(0.5);
      const factor = isRise ? random.between(1.25, 1.5) : random.between(0.5, 0.8);
      const level = factor * (levels.at(-1) ?? 1);
      const known = levels.filter((_, index) => leftOn(changes[index]) > at - rememberedDays);
      const isKnown = level <= 1.2 * Math.max(...known);
      changes.push({ kind: isRise ? (isKnown ? 'return' : 'step') : 'drop', start: at, end: at, factor });
      levels.push(level);
      at += random.whole(60, 140);
    }
    const levelAt = (day: number) =>
      changes.reduce((level, { start, factor }) => (day >= start ? level * factor : level), 1);
    return { usage: levelAt, events: changes };
  },
};

/** Number of days for which an ended level is remembered: a rise to it, or to at most a fifth more, is a return. */
const rememberedDays = 182;

/** @param change that ended a level; none for the current one */
function leftOn(change?: LabelledEvent): number {
  return change?.start ?? Infinity;
}

/** Returns the number of business days in the rest of the month. */
function businessDaysAfter(day: Day): number {
  const end = addDays(lastDay(monthOf(day)), 1);
  return daysIn({ start: addDays(day, 1), end }).filter(isBusinessDay).length;
}

function isBusinessDay(day: Day): boolean {
  return weekdayOf(day) % 6 !== 0;
}
