import { Decimal } from 'decimal.js';
import { queueChecks } from '../../jobs/checks.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, conflict, fix, forbidden, invalid, mention } from '../../kit/errors/errors.ts';
import type { Month } from '../../kit/time/period.ts';
import { writeAudit, type Actor } from '../audit/store.ts';
import type { OrgScope } from '../auth/scope.ts';
import { parseCurrency } from './organization.ts';
import {
  bumpRatesVersion,
  countRates,
  deleteRates,
  listCurrencies,
  listExchangeRates,
  lockSettings,
  upsertRates,
  type ExchangeRate,
  type RateKey,
} from './store.ts';

/** A rate from a client. Null deletes it. */
export interface RateInput {
  readonly month: Month;
  readonly from: string;
  readonly to: string;
  readonly rate?: number | null;
  /** The rate that the client has read, null for none: another one is a conflict. Default: any. */
  readonly ifRate?: number | null;
}

/** Maximum number of rates: fifty years of thirty currencies. An unlimited list could not be returned in one
 *  response. */
const ratesPerOrganization = 20_000;
/** Digits of numeric(24, 12) on each side of the decimal point. */
export const rateDigits = 12;
/** Bounds of one rate. */
export const rateRule = {
  minimum: 10 ** -rateDigits,
  maximum: 10 ** rateDigits,
  exclusiveMaximum: true,
} as const;
/** Bounds of the rates per call. */
export const ratesRule = { maxItems: 1000 } as const;
/** Significant digits of a computed number; shorter ones are meant exactly. */
const computedDigits = 15;
/** Maximum relative rounding error of a computed rate; published rates are less precise. */
const tolerance = 1e-6;
/** Maximum number of changes listed in an audit entry; more are only counted. */
const auditedRates = 100;

type Change = RateKey & { readonly rate: string | null };

/** Sets the given rates, deletes those with a null rate, and keeps all others. Cached cost responses expire only if
 *  something changed.
 *  @throws {AppError} VALIDATION_ERROR naming the entry and the field; FORBIDDEN for a currency outside a restricted
 *  scope; CONFLICT if the client has not read a rate. Nothing is changed in any case */
export async function setExchangeRates(
  deps: Pick<Deps, 'db' | 'queue'>,
  scope: OrgScope,
  actor: Actor,
  rates: readonly RateInput[],
): Promise<ExchangeRate[]> {
  const changes = parseChanges(rates);
  await deps.db.$transaction(async (db) => {
    await lockSettings(db, scope);
    refuseOthers(changes, await listCurrencies(db, scope));
    if (rates.some(({ ifRate }) => ifRate !== undefined)) requireRates(rates, await listExchangeRates({ db }, scope));
    const set = await upsertRates(
      db,
      scope,
      changes.filter(isSet).map((change) => ({ ...change, source: 'typed' as const, isProvisional: false })),
    );
    const removals = changes.filter(({ rate }) => rate === null);
    const removed = await deleteRates(db, scope, removals);
    if (set.length + removed.length === 0) return;
    if ((await countRates(db, scope)) > ratesPerOrganization) {
      throw invalid`${arg('rates')} would exceed the ${ratesPerOrganization} rates that an organization can have${fix}remove old ones first`;
    }
    await bumpRatesVersion(db, scope);
    await queueChecks(deps, scope.organizationId, db);
    const entry = { action: 'exchange_rates_changed', resourceType: 'organization' } as const;
    await writeAudit(db, actor, { ...entry, resourceId: scope.organizationId, details: describeRates(set, removed) });
  });
  return listExchangeRates(deps, scope);
}

function parseChanges(rates: readonly RateInput[]): Change[] {
  if (rates.length > ratesRule.maxItems)
    throw invalid`${arg('rates')} takes at most ${ratesRule.maxItems} entries at once, not ${rates.length}`;
  const changes = rates.map((rate, index) => parseChange(rate, `rates[${index}]`));
  const seen = new Set<string>();
  changes.forEach((change, index) => {
    const { month, from, to } = change;
    const key = keyOf(change);
    if (seen.has(key))
      throw invalid`${arg(`rates[${index}]`)} repeats ${from} to ${to} for ${month}${fix}list each pair and month once`;
    seen.add(key);
  });
  return changes;
}

/** Restricted members may only change the rates that they can read.
 *  @param currencies those of the scope; null if it is unrestricted */
function refuseOthers(changes: readonly Change[], currencies: readonly string[] | null): void {
  if (currencies === null) return;
  changes.forEach((change, index) => {
    for (const side of ['from', 'to'] as const)
      if (!currencies.includes(change[side]))
        throw forbidden`${arg(`rates[${index}].${side}`, change[side])} is not a currency of your accounts (${currencies.join(', ')})${fix}ask an Admin with access to all accounts to change its rates`;
  });
}

/** Rejects changes of rates that others have changed since the client read them. */
function requireRates(rates: readonly RateInput[], stored: readonly ExchangeRate[]): void {
  const known = new Map(stored.map((rate) => [keyOf(rate), Number(rate.rate)]));
  rates.forEach((rate, index) => {
    if (rate.ifRate !== undefined && (known.get(keyOf(rate)) ?? null) !== rate.ifRate)
      throw conflict`${arg(`rates[${index}].if_rate`)} is not the current rate${fix}reload the rates, then apply your change again`;
  });
}

function keyOf({ month, from, to }: RateKey): string {
  return `${month} ${from} ${to}`;
}

function parseChange(input: RateInput, at: string): Change {
  const from = parseCurrency(input.from, `${at}.from`);
  const to = parseCurrency(input.to, `${at}.to`);
  if (from === to) throw invalid`${arg(`${at}.to`, to)} must differ from ${mention(`${at}.from`)}`;
  return { month: input.month, from, to, rate: parseRate(input.rate, `${at}.rate`) };
}

/** Parses the decimal that the client's number was written as: 0.1 is one tenth, not its nearest binary fraction.
 *  Computed numbers, such as 1 / 1.0839, have more digits than are stored and are rounded. */
function parseRate(rate: number | null | undefined, field: string): string | null {
  if (rate === undefined)
    throw invalid`${arg(field)} is required${fix}send a number above 0, or null to remove the rate`;
  if (rate === null) return null;
  const exact = new Decimal(rate);
  if (!(rate > 0)) throw invalid`${arg(field, rate)} must be above 0`;
  const kept = exact.toDecimalPlaces(rateDigits);
  const most = exact.precision() < computedDigits ? 0 : exact.times(tolerance);
  if (kept.gte(rateRule.maximum) || kept.minus(exact).abs().gt(most)) {
    throw invalid`${arg(field, rate)} must have at most ${rateDigits} digits before and ${rateDigits} after the decimal point`;
  }
  return kept.toFixed();
}

function isSet(change: Change): change is Change & { rate: string } {
  return change.rate !== null;
}

/** Details of an audit entry about changed rates. */
export function describeRates(set: readonly ExchangeRate[], removed: readonly RateKey[]) {
  return {
    set_count: set.length,
    removed_count: removed.length,
    set: set.slice(0, auditedRates).map(({ month, from, to, rate }) => ({ month, from, to, rate })),
    removed: removed.slice(0, auditedRates).map(({ month, from, to }) => ({ month, from, to })),
  };
}
