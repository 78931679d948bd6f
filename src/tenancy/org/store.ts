import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { RateSource } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import { unauthorized, type AppError } from '../../kit/errors/errors.ts';
import { firstDay, type Month } from '../../kit/time/period.ts';
import type { OrgScope } from '../auth/scope.ts';

/** Settings that clients can change. */
export interface Settings {
  readonly name: string;
  readonly currency: string;
  readonly requireTwoFactor: boolean;
  /** Tag key that names the owner of a resource; null: none. */
  readonly ownerTagKey: string | null;
  /** 1 to 12. */
  readonly fiscalYearStartMonth: number;
  /** Null: none. */
  readonly billingEmail: string | null;
  /** Whether exchange rates are downloaded; null for the server's default. */
  readonly automaticExchangeRates: boolean | null;
}

/** Key of a rate: 1 `from` in `to`, for charges of that month. */
export interface RateKey {
  readonly month: Month;
  /** ISO 4217. */
  readonly from: string;
  /** ISO 4217. */
  readonly to: string;
}

/** A monthly exchange rate. */
export interface ExchangeRate extends RateKey {
  /** Units of `to` per unit of `from`, as an exact decimal. */
  readonly rate: string;
  /** `ecb`: downloaded. */
  readonly source: RateSource;
  /** Whether it is the average of a month that has not ended. */
  readonly isProvisional: boolean;
}

/** The error for a request whose organization was deleted while it ran; the next request would be rejected with the
 *  same error. */
function deletedMeanwhile(): AppError {
  return unauthorized`You are no longer a member of this organization`;
}

/** Prisma selection of an organization. */
export type OrganizationSelection = Pick<Prisma.OrganizationDefaultArgs, 'select' | 'include'>;

/** Reads the selected columns of the scope's organization.
 *  @throws {AppError} UNAUTHORIZED if it was deleted meanwhile */
export async function selectOrganization(db: Db, { organizationId: id }: OrgScope, query: OrganizationSelection) {
  const found = await db.organization.findUnique({ ...query, where: { id } });
  if (!found) throw deletedMeanwhile();
  return found;
}

/** Counts the connected accounts in the scope. */
export function countConnectedAccounts(db: Db, { organizationId, accountIds }: OrgScope): Promise<number> {
  const inScope = accountIds && { id: { in: [...accountIds] } };
  return db.account.count({ where: { organizationId, status: 'connected', ...inScope } });
}

/** Whether such an account is in scope, connected or not. */
export async function hasAccounts(
  db: Db,
  { organizationId, accountIds }: OrgScope,
  such: Pick<Prisma.AccountWhereInput, 'dataTo' | 'sampleOf'>,
): Promise<boolean> {
  const where = { organizationId, ...(accountIds && { id: { in: [...accountIds] } }), ...such };
  return (await db.account.findFirst({ where, select: { id: true } })) !== null;
}

/** Reads the settings and locks the organization until the transaction ends, so that changes are serialized.
 *  @throws {AppError} UNAUTHORIZED if it was deleted meanwhile */
export async function lockSettings(db: Db, scope: OrgScope): Promise<Settings> {
  const rows = await db.$queryRaw<Settings[]>`/* lockSettings */
    SELECT name, currency, require_two_factor AS "requireTwoFactor", billing_email AS "billingEmail",
      automatic_exchange_rates AS "automaticExchangeRates", fiscal_year_start_month AS "fiscalYearStartMonth",
      owner_tag_key AS "ownerTagKey"
    FROM organizations WHERE id = ${scope.organizationId}::uuid FOR UPDATE`;
  if (!rows[0]) throw deletedMeanwhile();
  return rows[0];
}

/** Updates the settings of a locked organization. From then on, bills do not change its currency. */
export async function updateSettings(db: Db, scope: OrgScope, changes: Partial<Settings>): Promise<void> {
  const data = { ...changes, ...(changes.currency !== undefined && { isCurrencyChosen: true }) };
  await db.organization.update({ where: { id: scope.organizationId }, data, select: { id: true } });
}

/** Sets the currency of an organization, unless a bill or a member has set it. */
export async function setFirstCurrency(db: Db, scope: OrgScope, currency: string): Promise<void> {
  await db.organization.updateMany({
    where: { id: scope.organizationId, isCurrencyChosen: false },
    data: { currency, isCurrencyChosen: true, ratesVersion: { increment: 1 } },
  });
}

/** Invalidates all cached cost responses of the organization. */
export async function bumpRatesVersion(db: Db, scope: OrgScope): Promise<void> {
  const data = { ratesVersion: { increment: 1 } };
  await db.organization.update({ where: { id: scope.organizationId }, data, select: { id: true } });
}

/** Returns the rates that apply, newest month first: the entered one of a month, or else the downloaded one. For a restricted
 *  scope, only those between its currencies. Not paged, because their number is limited on write. */
export async function listExchangeRates({ db }: { readonly db: Db }, scope: OrgScope): Promise<ExchangeRate[]> {
  const currencies = await listCurrencies(db, scope);
  return db.$queryRaw<ExchangeRate[]>`/* listRates */
    SELECT ${rateColumns} FROM (
      SELECT DISTINCT ON (month, from_currency, to_currency) * FROM exchange_rates
      WHERE organization_id = ${scope.organizationId}::uuid AND (${currencies}::text[] IS NULL
        OR (from_currency = ANY(${currencies}::text[]) AND to_currency = ANY(${currencies}::text[])))
      ORDER BY month, from_currency, to_currency, source
    ) known ORDER BY known.month DESC, from_currency, to_currency`;
}

const rateColumns = Prisma.raw(`to_char(month, 'YYYY-MM') AS month, from_currency AS "from", to_currency AS "to",
  trim_scale(rate)::text AS rate, source::text AS source, is_provisional AS "isProvisional"`);

/** Returns the currencies of a restricted scope: its accounts' billing currencies, and the organization's. Null if
 *  the scope is unrestricted. */
export async function listCurrencies(db: Db, { organizationId, accountIds }: OrgScope): Promise<string[] | null> {
  if (accountIds === null) return null;
  const rows = await db.$queryRaw<{ currency: string }[]>`/* listCurrencies */
    SELECT currency FROM organizations WHERE id = ${organizationId}::uuid
    UNION SELECT t->>'currency' FROM billing_periods b, jsonb_array_elements(b.totals) t
      WHERE b.organization_id = ${organizationId}::uuid AND b.account_id = ANY(${accountIds}::uuid[])
    ORDER BY currency`;
  return rows.map((row) => row.currency);
}

/** Counts the organization's entered rates. */
export function countRates(db: Db, scope: OrgScope): Promise<number> {
  return db.exchangeRate.count({ where: { organizationId: scope.organizationId, source: 'typed' } });
}

/** Upserts rates of their sources and returns those that are new or changed. The final rate of a month stays if a provisional
 *  one follows, as from an outdated document. */
export function upsertRates(db: Db, scope: OrgScope, rates: readonly ExchangeRate[]): Promise<ExchangeRate[]> {
  return db.$queryRaw<ExchangeRate[]>`/* upsertRates */
    INSERT INTO exchange_rates AS known (organization_id, month, from_currency, to_currency, rate, source, is_provisional)
    SELECT ${scope.organizationId}::uuid, * FROM unnest(${firstDays(rates)}::date[], ${rates.map((rate) => rate.from)}::text[],
      ${rates.map((rate) => rate.to)}::text[], ${rates.map((rate) => rate.rate)}::numeric[],
      ${rates.map((rate) => rate.source)}::"RateSource"[], ${rates.map((rate) => rate.isProvisional)}::boolean[])
    ON CONFLICT (organization_id, month, from_currency, to_currency, source) DO UPDATE
      SET rate = excluded.rate, is_provisional = excluded.is_provisional
      WHERE (known.rate, known.is_provisional) <> (excluded.rate, excluded.is_provisional)
        AND (known.is_provisional OR NOT excluded.is_provisional)
    RETURNING ${rateColumns}`;
}

/** Deletes entered rates and returns those that existed. A downloaded rate of the same month applies from then on. */
export function deleteRates(db: Db, scope: OrgScope, rates: readonly RateKey[]): Promise<RateKey[]> {
  return db.$queryRaw<RateKey[]>`/* deleteRates */
    DELETE FROM exchange_rates known
    USING unnest(${firstDays(rates)}::date[], ${rates.map((rate) => rate.from)}::text[],
      ${rates.map((rate) => rate.to)}::text[]) AS gone (month, from_currency, to_currency)
    WHERE known.organization_id = ${scope.organizationId}::uuid AND known.source = 'typed' AND known.month = gone.month
      AND known.from_currency = gone.from_currency AND known.to_currency = gone.to_currency
    RETURNING to_char(known.month, 'YYYY-MM') AS month, known.from_currency AS "from", known.to_currency AS "to"`;
}

function firstDays(rates: readonly RateKey[]): string[] {
  return rates.map((rate) => firstDay(rate.month));
}
