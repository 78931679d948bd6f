/** Thresholds of an anomaly. Values come from a comparison of 16 variants; no single one changes the outcome by more
 *  than 2%. */
export interface Sensitivity {
  /** Standard deviations over the expectation that a day must exceed: 3.5 is sensitive, 4.5 medium, 6 insensitive. */
  readonly sigmas: number;
  /** Minimum impact of an alert, in money per day in the currency of the costs. */
  readonly minimumImpact: number;
  /** Minimum excess of an alert, as a fraction of the expectation: 0.25 is 25%. */
  readonly minimumRatio: number;
}

/** Medium sensitivity, from 10 (dollars) per day and 25%. */
export const mediumSensitivity: Sensitivity = { sigmas: 4.5, minimumImpact: 10, minimumRatio: 0.25 };

/** Days whose median is the current level. */
export const levelDays = 14;
/** Days whose median is kept in addition, so that a return from a dip is not an anomaly. */
export const memoryDays = 35;
/** Days over which the slope of the level is computed. */
export const slopeDays = 28;
/** Maximum daily growth that the expectation follows. */
export const maximumSlope = 0.006;
/** Days over which the spread of normal days is computed. */
export const spreadDays = 56;
export const minimumSigma = 0.03;
/** Days of history below which only new services are reported. */
export const shortHistoryDays = 14;
/** Consecutive days at a higher level after which it is adopted. */
export const adoptionDays = 7;
/** Maximum gap in days between alerts of one episode. */
export const mergeDays = 2;
/** Longest time from one monthly charge to the next, in days: the first business day can move by three. */
export const chargeDays = 34;
/** Fraction of the minimum impact that counts as no cost: one dollar of ten. */
export const idlePart = 0.1;
/** Factor by which a charge or a recurrence can exceed the earlier one without an alert. */
export const repeatTolerance = 1.35;

/** About ten US dollars in currencies whose unit is worth much more or less than a dollar, rounded to 1, 2 or 5 times a
 *  power of ten. Only decides what is worth reporting, so no exchange rates are needed. */
const tenDollars: Readonly<Record<string, number>> = {
  AED: 50,
  ARS: 10_000,
  BRL: 50,
  CLP: 10_000,
  CNY: 100,
  COP: 50_000,
  CZK: 200,
  DKK: 50,
  EGP: 500,
  HKD: 100,
  HUF: 5_000,
  IDR: 200_000,
  ILS: 50,
  INR: 1_000,
  JPY: 1_000,
  KES: 1_000,
  KRW: 10_000,
  KWD: 2,
  MXN: 200,
  MYR: 50,
  NGN: 10_000,
  NOK: 100,
  PEN: 50,
  PHP: 500,
  PKR: 2_000,
  PLN: 50,
  QAR: 50,
  RON: 50,
  RUB: 1_000,
  SAR: 50,
  SEK: 100,
  THB: 500,
  TRY: 500,
  TWD: 200,
  UAH: 500,
  VND: 200_000,
  ZAR: 200,
};

/** Returns the minimum daily excess of an anomaly: about ten US dollars, in the currency of the costs.
 *  @param currency ISO 4217; 10 for unknown ones and those worth about a dollar */
export function minimumImpactIn(currency: string): number {
  return tenDollars[currency] ?? 10;
}
