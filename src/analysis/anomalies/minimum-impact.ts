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
