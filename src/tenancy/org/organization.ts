import type { Deps } from '../../kit/deps.ts';
import { invalid } from '../../kit/errors.ts';
import { writeAudit, type Actor } from '../audit/store.ts';
import { parseName } from '../auth/input.ts';
import { can } from '../auth/permissions.ts';
import type { Viewer } from '../auth/scope.ts';
import { parseCurrency } from './currency.ts';
import {
  bumpRatesVersion,
  findOrganization,
  lockSettings,
  updateSettings,
  type Organization,
  type Settings,
} from './store.ts';

/** The organization that the caller is in. Counts hold only what they may see. */
export function readOrganization(deps: Pick<Deps, 'db'>, viewer: Viewer): Promise<Organization> {
  return findOrganization(deps.db, viewer.scope, can(viewer.role, 'billing.write'));
}

/** Changes the settings that are named. A new currency makes every cost answer anew.
 *  @throws {AppError} VALIDATION_ERROR naming the field, or when nothing is named */
export async function updateOrganization(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer,
  actor: Actor,
  input: { name?: string | null; currency?: string | null },
): Promise<Organization> {
  const wanted = parseSettings(input);
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
  return readOrganization(deps, viewer);
}

function parseSettings({ name, currency }: { name?: string | null; currency?: string | null }): Partial<Settings> {
  if (name === undefined && currency === undefined)
    throw invalid('Nothing to change: name at least one of name, currency');
  if (name === null) throw invalid('name cannot be null');
  if (currency === null) throw invalid('currency cannot be null');
  return {
    ...(name !== undefined && { name: parseName(name, 'name') }),
    ...(currency !== undefined && { currency: parseCurrency(currency, 'currency') }),
  };
}

function differences(before: Settings, wanted: Partial<Settings>): Partial<Settings> {
  return {
    ...(wanted.name !== undefined && wanted.name !== before.name && { name: wanted.name }),
    ...(wanted.currency !== undefined && wanted.currency !== before.currency && { currency: wanted.currency }),
  };
}

function describeChanges(before: Settings, changes: Partial<Settings>) {
  return {
    ...(changes.name !== undefined && { name: { from: before.name, to: changes.name } }),
    ...(changes.currency !== undefined && { currency: { from: before.currency, to: changes.currency } }),
  };
}
