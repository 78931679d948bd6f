import type { Random } from './random.ts';

/** Kinds of events in a cost series. Expected to alert: `spike`, `step`, `leak`, `new_service`; expected to stay
 *  silent: `drop`, `return`. */
export type EventKind = 'spike' | 'step' | 'leak' | 'new_service' | 'drop' | 'return';

/** An event, by the number of days since the start of the series. */
export interface LabelledEvent {
  readonly kind: EventKind;
  /** The first day of its effect. */
  readonly start: number;
  /** The last day on which it unfolds; steps, returns and new services are permanent, and end on their first day
   *  here. */
  readonly end: number;
  /** The factor on usage at its peak; below 1 for drops, 1 for returns and new services. */
  readonly factor: number;
}

/** The factor on usage of each day, and the events. */
export interface EventPlan {
  readonly events: readonly LabelledEvent[];
  readonly factors: readonly number[];
  /** The factors without drops. */
  readonly undropped: readonly number[];
}

/** `mixed`: as on bills; `drops`: drops of all lengths and returns from them, in sequence. */
export type Plot = 'mixed' | 'drops';

const firstEventDay = 45;
const daysAfter = { spike: 18, drop: 30, return: 30, step: 45, leak: 50, new_service: 60 } as const;

/** Places events in sequence, each separated enough from the next to be distinguishable. `length` is the number of days
 *  of the series, `quietDays` the days at its end without events, `plot` the most frequent kind. */
export function planEvents(random: Random, length: number, quietDays: number, plot: Plot = 'mixed'): EventPlan {
  const factors = Array.from({ length }, () => 1);
  const undropped = Array.from({ length }, () => 1);
  const events: LabelledEvent[] = [];
  const last = length - quietDays;
  let day = startNewService(random, { factors, undropped, events, last });
  for (;;) {
    day += gap(random);
    const event = plot === 'drops' ? drawDrop(random, day) : draw(random, day);
    if (event.end >= last) return { events, factors, undropped };
    apply(random, { factors, undropped }, event);
    events.push(event);
    day = event.end + daysAfter[event.kind];
    if (event.kind === 'drop') day = maybeReturn(random, { factors, undropped, events, last }, event);
  }
}

interface Factors {
  readonly factors: number[];
  readonly undropped: number[];
}

interface Placing extends Factors {
  readonly events: LabelledEvent[];
  readonly last: number;
}

/** About one in six series is of a service without initial usage. */
function startNewService(random: Random, { factors, undropped, events, last }: Placing): number {
  if (!random.chance(0.16)) return firstEventDay;
  const start = random.whole(120, last - 20);
  factors.fill(0, 0, start);
  undropped.fill(0, 0, start);
  events.push({ kind: 'new_service', start, end: start, factor: 1 });
  return start + daysAfter.new_service;
}

/** Exponential, 42 days on average, half a year at most. */
function gap(random: Random): number {
  return Math.round(Math.min(180, -42 * Math.log(1 - random.unit())));
}

function draw(random: Random, start: number): LabelledEvent {
  const kind = random.unit();
  if (kind < 0.7) {
    return { kind: 'spike', start, end: start + random.whole(0, 2), factor: random.ratio(1.3, 3) };
  }
  if (kind < 0.79) return { kind: 'step', start, end: start, factor: random.between(1.25, 2.2) };
  if (kind < 0.87) {
    return { kind: 'leak', start, end: start + random.whole(14, 30) - 1, factor: random.between(1.4, 2.5) };
  }
  return { kind: 'drop', start, end: start + random.whole(1, 40), factor: random.between(0.15, 0.7) };
}

/** Nine in ten are drops, log-uniform from a day to half a year; the others are spikes. */
function drawDrop(random: Random, start: number): LabelledEvent {
  if (random.chance(0.1)) {
    return { kind: 'spike', start, end: start + random.whole(0, 2), factor: random.ratio(1.3, 3) };
  }
  const days = Math.round(random.ratio(1, 180));
  return { kind: 'drop', start, end: start + days - 1, factor: random.between(0.1, 0.85) };
}

function apply(random: Random, { factors, undropped }: Factors, event: LabelledEvent): void {
  const { kind, start, end, factor } = event;
  const isFixed = kind === 'leak' && random.chance(0.5);
  const fixedAt = isFixed ? end + random.whole(1, 14) : factors.length;
  const last = kind === 'spike' || kind === 'drop' ? end : Math.min(fixedAt, factors.length - 1);
  for (const each of kind === 'drop' ? [factors] : [factors, undropped])
    for (let day = start; day <= last; day += 1) each[day] = (each[day] ?? 1) * factorOn(event, day, fixedAt);
  if (kind === 'drop') factors.fill(factor * (factors[start - 1] ?? 1), end + 1);
}

function factorOn({ kind, start, end, factor }: LabelledEvent, day: number, fixedAt: number): number {
  if (kind !== 'leak') return factor;
  if (day >= fixedAt) return 1;
  return 1 + (factor - 1) * Math.min(1, (day - start + 1) / (end - start + 1));
}

/** Two in three drops return to the previous level; the others are permanent. */
function maybeReturn(random: Random, { factors, events, last }: Placing, drop: LabelledEvent): number {
  const start = drop.end + 1;
  if (random.chance(1 / 3) || start >= last) return drop.end + daysAfter.drop;
  factors.fill(factors[drop.start - 1] ?? 1, start);
  events.push({ kind: 'return', start, end: start, factor: 1 });
  return start + daysAfter.return;
}
