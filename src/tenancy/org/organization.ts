import type { Deps } from '../../kit/deps.ts';
import { arg, choice, fix, forbidden, invalid } from '../../kit/errors.ts';
import { notNull, unchanged } from '../../kit/refusals.ts';
import { writeAudit, type Actor } from '../audit/store.ts';
import { parseEmail, parseName } from '../auth/input.ts';
import { can } from '../auth/permissions.ts';
import type { Viewer } from '../auth/scope.ts';
import { parseCurrency } from './currency.ts';
import { bumpRatesVersion, lockSettings, updateSettings, type Settings } from './store.ts';

/** What changes of the settings; what is absent stays. */
export interface SettingsChange {
  readonly name?: string | null;
  readonly currency?: string | null;
  readonly requireTwoFactor?: boolean | null;
  /** Null: none. For the Super Admin alone. */
  readonly billingEmail?: string | null;
}

/** Changes the settings that are named. A new currency makes every cost answer anew; who lacks a second factor that is
 *  required from now on can do nothing but set it up.
 *  @throws {AppError} VALIDATION_ERROR naming the field, or when nothing is named; FORBIDDEN for billing settings from
 *  anyone but the Super Admin */
export async function updateOrganization(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer,
  actor: Actor,
  input: SettingsChange,
): Promise<void> {
  const wanted = parseSettings(input);
  if (wanted.billingEmail !== undefined && !can(viewer.role, 'billing.write'))
    throw forbidden`${arg('billing_email')} cannot be changed by the role ${choice('role', viewer.role)}${fix}ask the Super Admin`;
  const { scope } = viewer;
  await deps.db.$transaction(async (db) => {
    const before = await lockSettings(db, scope);
    const changes = differences(before, wanted);
    if (Object.keys(changes).length === 0) return;
    await updateSettings(db, scope, changes);
    if (changes.currency !== undefined) await bumpRatesVersion(db, scope);
    const details = describeChanges(before, changes);
    await writeAudit(db, actor, {
      action: 'settings_changed',
      resourceType: 'organization',
      resourceId: scope.organizationId,
      details,
    });
  });
}

/** The settings as REST spells them. */
const spelled = {
  name: 'name',
  currency: 'currency',
  requireTwoFactor: 'require_two_factor',
  billingEmail: 'billing_email',
} as const satisfies Record<keyof Settings, string>;

const keys = ['name', 'currency', 'requireTwoFactor', 'billingEmail'] as const;

function parseSettings(input: SettingsChange): Partial<Settings> {
  const { name, currency, requireTwoFactor, billingEmail } = input;
  if (keys.every((key) => input[key] === undefined)) throw unchanged(...Object.values(spelled));
  if (name === null) throw notNull('name');
  if (currency === null) throw notNull('currency');
  if (requireTwoFactor === null) throw invalid`${arg('require_two_factor')} cannot be null${fix}send true or false`;
  return {
    ...(name !== undefined && { name: parseName(name, 'name') }),
    ...(currency !== undefined && { currency: parseCurrency(currency, 'currency') }),
    ...(requireTwoFactor !== undefined && { requireTwoFactor }),
    ...(billingEmail !== undefined && {
      billingEmail: billingEmail === null ? null : parseEmail(billingEmail, 'billing_email'),
    }),
  };
}

function differences(before: Settings, wanted: Partial<Settings>): Partial<Settings> {
  return Object.fromEntries(
    Object.entries(wanted).filter(([key, value]) => keys.some((known) => known === key && before[known] !== value)),
  );
}

function describeChanges(before: Settings, changes: Partial<Settings>) {
  const changed = keys.filter((key) => changes[key] !== undefined);
  return Object.fromEntries(changed.map((key) => [spelled[key], { from: before[key], to: changes[key] ?? null }]));
}
