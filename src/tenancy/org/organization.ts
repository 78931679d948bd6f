import { arg, choice, fix, forbidden, invalid } from '../../kit/errors/errors.ts';
import { isCurrencyCode } from '../../kit/money.ts';
import { isAutomatic } from '../../kit/config/exchange-rates.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { notNull, unchanged } from '../../kit/errors/refusals.ts';
import { type Actor, writeAudit } from '../audit/store.ts';
import { parseEmail, parseName } from '../login/input.ts';
import { can } from '../auth/permissions.ts';
import { type OrgScope, requireAllAccounts, type Viewer } from '../auth/scope.ts';
import { bumpRatesVersion, lockSettings, setFirstCurrency, type Settings, updateSettings } from './store.ts';
import { tagKeyName } from '../../kit/tag-key.ts';
import { inTransaction, repeated } from '../../kit/database/transaction.ts';
import { confirmPassword } from '../login/account.ts';
import { eraseOrganization } from './delete-store.ts';

/** Format of a currency code. Not every code in this format is a currency. */
export const currencyRule = { minLength: 3, maxLength: 3, pattern: '^[A-Z]{3}$' } as const;

/** Parses an ISO 4217 code, in upper case.
 *  @param field how the client spells it
 *  @throws {AppError} VALIDATION_ERROR naming the field if the currency is unknown */
export function parseCurrency(text: string, field: string): string {
  if (!isCurrencyCode(text)) throw invalid`${arg(field, text.slice(0, 20))} must be an ISO 4217 code such as "USD"`;
  return text;
}

/** A change of settings; absent fields stay the same. */
interface SettingsChange {
  readonly name?: string | null;
  readonly currency?: string | null;
  readonly requireTwoFactor?: boolean | null;
  /** Null: none. */
  readonly ownerTagKey?: string | null;
  /** 1 to 12. */
  readonly fiscalYearStartMonth?: number | null;
  /** Null: none. Super Admin only. */
  readonly billingEmail?: string | null;
  readonly automaticExchangeRates?: boolean | null;
}

/** Changes the given settings. A new currency invalidates all cost responses; members without a newly required
 *  second factor can only set one up.
 *  @throws {AppError} VALIDATION_ERROR naming the field, or if nothing is given; FORBIDDEN for billing settings
 *  unless the caller is the Super Admin, and without access to all accounts */
export async function updateOrganization(
  deps: Pick<Deps, 'db' | 'queue' | 'config'>,
  viewer: Viewer,
  actor: Actor,
  input: SettingsChange,
): Promise<void> {
  const wanted = parseSettings(input);
  if (wanted.billingEmail !== undefined && !can(viewer.role, 'billing.write'))
    throw forbidden`${arg('billing_email')} cannot be changed by the role ${choice('role', viewer.role)}${fix}ask the Super Admin`;
  if (wanted.automaticExchangeRates && deps.config.exchangeRates.url === null)
    throw invalid`${arg('automatic_exchange_rates')} cannot be true, because the operator forbids downloads of exchange rates${fix}ask the operator to change EXCHANGE_RATES, or set rates yourself`;
  const { scope } = viewer;
  requireAllAccounts(scope, 'Settings of the organization apply to all accounts');
  await deps.db.$transaction(async (db) => {
    const before = await lockSettings(db, scope);
    const changes = differences(before, wanted);
    // Not only the changes: a currency that is set again is chosen from then on.
    await updateSettings(db, scope, wanted);
    if (Object.keys(changes).length === 0) return;
    if (changes.currency !== undefined) await bumpRatesVersion(db, scope);
    if (changes.currency !== undefined || changes.automaticExchangeRates !== undefined)
      await queueRates(deps, { ...before, ...changes }, scope, db);
    const details = describeChanges(before, changes);
    const entry = { action: 'settings_changed', resourceType: 'organization', details } as const;
    await writeAudit(db, actor, { ...entry, resourceId: scope.organizationId });
  });
}

/** Gives an organization without bills the currency of its first one: that of most line items.
 *  @param totals of a loaded billing month */
export async function adoptCurrency(
  { db }: Pick<Deps, 'db'>,
  scope: OrgScope,
  totals: readonly { readonly currency: string; readonly lineItems: number }[],
): Promise<void> {
  const [main] = totals.toSorted((a, b) => b.lineItems - a.lineItems);
  if (main) await setFirstCurrency(db, scope, main.currency);
}

/** Queues a download if the organization has turned it on. */
async function queueRates(
  { queue, config }: Pick<Deps, 'queue' | 'config'>,
  { automaticExchangeRates }: Pick<Settings, 'automaticExchangeRates'>,
  { organizationId }: OrgScope,
  within: Db,
): Promise<void> {
  if (isAutomatic(config.exchangeRates, automaticExchangeRates))
    await queue.add('fetch_exchange_rates', { organizationId }, { within });
}

/** The settings in REST spelling. */
const spelled = {
  name: 'name',
  currency: 'currency',
  requireTwoFactor: 'require_two_factor',
  fiscalYearStartMonth: 'fiscal_year_start_month',
  ownerTagKey: 'owner_tag_key',
  billingEmail: 'billing_email',
  automaticExchangeRates: 'automatic_exchange_rates',
} as const satisfies Record<keyof Settings, string>;

const keys = [
  'name',
  'currency',
  'requireTwoFactor',
  'fiscalYearStartMonth',
  'ownerTagKey',
  'billingEmail',
  'automaticExchangeRates',
] as const;

/** Values of the first month of a fiscal year. */
export const monthRule = { minimum: 1, maximum: 12 } as const;

function parseSettings(input: SettingsChange): Partial<Settings> {
  const { name, currency, requireTwoFactor, fiscalYearStartMonth, ownerTagKey, billingEmail, automaticExchangeRates } =
    input;
  if (keys.every((key) => input[key] === undefined)) throw unchanged(...Object.values(spelled));
  if (name === null) throw notNull('name');
  if (currency === null) throw notNull('currency');
  if (fiscalYearStartMonth === null) throw notNull('fiscal_year_start_month');
  if (requireTwoFactor === null) throw invalid`${arg('require_two_factor')} cannot be null${fix}send true or false`;
  if (automaticExchangeRates === null)
    throw invalid`${arg('automatic_exchange_rates')} cannot be null${fix}send true or false`;
  return {
    ...(name !== undefined && { name: parseName(name, 'name') }),
    ...(currency !== undefined && { currency: parseCurrency(currency, 'currency') }),
    ...(requireTwoFactor !== undefined && { requireTwoFactor }),
    ...(fiscalYearStartMonth !== undefined && { fiscalYearStartMonth: parseMonth(fiscalYearStartMonth) }),
    ...(ownerTagKey !== undefined && { ownerTagKey: ownerTagKey === null ? null : parseTagKey(ownerTagKey) }),
    ...(automaticExchangeRates !== undefined && { automaticExchangeRates }),
    ...(billingEmail !== undefined && {
      billingEmail: billingEmail === null ? null : parseEmail(billingEmail, 'billing_email'),
    }),
  };
}

function parseMonth(value: number): number {
  const { minimum, maximum } = monthRule;
  if (value < minimum || value > maximum)
    throw invalid`${arg('fiscal_year_start_month', value)} must be 1 (January) to 12`;
  return value;
}

function parseTagKey(key: string): string {
  if (key.trim() === '') throw invalid`${arg('owner_tag_key', key)} is blank${fix}give the key of a tag, such as team`;
  return tagKeyName(key);
}

function differences(before: Settings, wanted: Partial<Settings>): Partial<Settings> {
  return Object.fromEntries(
    Object.entries(wanted).filter(([key, value]) => keys.some((found) => found === key && before[found] !== value)),
  );
}

function describeChanges(before: Settings, changes: Partial<Settings>) {
  const changed = keys.filter((key) => changes[key] !== undefined);
  return Object.fromEntries(changed.map((key) => [spelled[key], { from: before[key], to: changes[key] ?? null }]));
}

/** Permanently deletes the caller's organization: members, tokens, settings, accounts with their credentials, all
 *  figures, the audit log, and queued jobs. Its users keep their other organizations. Atomic, and complete when it
 *  returns. The audit log is deleted too, so only the operator's log records it.
 *  @throws {AppError} FORBIDDEN if the password is wrong, or the caller is no longer the Super Admin; ACCOUNT_LOCKED */
export async function deleteOrganization(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'secrets' | 'log' | 'config'>,
  viewer: Viewer,
  actor: Actor,
  password: string,
): Promise<void> {
  await confirmPassword(deps, viewer, actor, password);
  const { organizationId } = viewer.scope;
  const erased = { organizationId, ownerId: viewer.userId, now: deps.clock.now() };
  const name = await repeated(() => inTransaction(deps.pool, (client) => eraseOrganization(client, erased)));
  if (name === null) throw forbidden`You are no longer the Super Admin of this organization`;
  const { userId, ipAddress } = actor;
  deps.log.warn({ organizationId, userId, ipAddress }, 'An organization was deleted by its Super Admin');
}
