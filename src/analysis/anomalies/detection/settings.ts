/** What makes an excess an anomaly. Figures from a comparison of 16 variants; none moves the outcome by more than 2 % alone. */
export interface Sensitivity {
  /** Standard deviations that a day must exceed its expectation by: 3.5 is sensitive, 4.5 medium, 6 insensitive. */
  readonly sigmas: number;
  /** Money a day, in the currency of the costs, below which nothing is alerted. */
  readonly minimumImpact: number;
  /** Part of the expectation below which nothing is alerted: 0.25 is 25 %. */
  readonly minimumRatio: number;
}

/** Medium sensitivity, from 10 (dollars) a day and 25 %. */
export const mediumSensitivity: Sensitivity = { sigmas: 4.5, minimumImpact: 10, minimumRatio: 0.25 };

/** Days whose median is the current level. */
export const levelDays = 14;
/** Days whose median is remembered beside it, so that a return from a dip is no anomaly. */
export const memoryDays = 35;
/** Days over which the slope of the level is taken. */
export const slopeDays = 28;
/** Most growth a day that the expectation follows. */
export const maximumSlope = 0.006;
/** Days over which the spread of ordinary days is taken. */
export const spreadDays = 56;
export const minimumSigma = 0.03;
/** Days of history below which only a new service is told. */
export const shortHistoryDays = 14;
/** Days in a row at a higher level after which it is the level. */
export const adoptionDays = 7;
/** Episodes whose alerts are this many days apart or fewer are one. */
export const mergeDays = 2;
/** What a charge or a repetition may exceed the earlier one by and stay silent. */
export const repeatTolerance = 1.35;

/** What about ten US dollars are in currencies whose unit is worth much more or less than a dollar, rounded to 1, 2 or 5 times
 *  a power of ten: it decides what is worth telling, so that no rate of the day is needed. */
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

/** The least that a day must cost beyond its expectation to be an anomaly: about ten US dollars, in the currency of the costs.
 *  @param currency ISO 4217; 10 for those of about a dollar's worth, and for unknown ones */
export function minimumImpactIn(currency: string): number {
  return tenDollars[currency] ?? 10;
}
