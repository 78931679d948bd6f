import type { CloudProvider } from '../../../prisma/generated/client/enums.ts';
import type { Config } from '../../kit/config/config.ts';
import { arg, choice, fix, invalid, mention, operation } from '../../kit/errors/errors.ts';
import { snakeOf } from '../../kit/text/case.ts';
import { refuseOthers, settingNames, type CredentialFields, type SettingsFields } from '../../providers/fields.ts';
import { openFocusFolder, realFocusPath } from '../../providers/focus/folder.ts';
import { focusPlaceOf } from '../../providers/focus/input.ts';
import { focusRootOf, normalizeFocusPath } from '../../providers/focus/path.ts';
import { readConnection, readSettings } from '../../providers/input.ts';
import { lookAt } from './check.ts';

type SourceConfig = Pick<Config, 'clouds' | 'connectorEnvironment' | 'dataDir' | 'focusRoot'>;

/** Source of an account, as sent by the client. */
export interface SentSource {
  readonly organizationId: string;
  readonly accountId: string;
  readonly provider: CloudProvider;
  readonly credentials: CredentialFields | null;
  readonly settings: SettingsFields;
  readonly trustExternalId: string;
}

/** Validated source, to be stored. */
export interface Source {
  readonly settings: object;
  /** To be encrypted; null: none needed. */
  readonly credentials: object | null;
  /** Id at the provider. */
  readonly externalId: string;
  /** Missing data or permissions, one sentence each. */
  readonly warnings: readonly string[];
}

/** Returns whether the bills are in a local folder or uploaded, which needs no connection.
 *  @throws {AppError} VALIDATION_ERROR for a `focus` account with no location, or two */
export function isLocal(provider: CloudProvider, settings: SettingsFields): boolean {
  return provider === 'focus' && ['folder', 'uploads'].includes(focusPlaceOf(settings));
}

/** Reads a source and checks that its bills can be read.
 *  @param claim called with the external id as soon as it is known; throws when it is taken
 *  @throws {AppError} VALIDATION_ERROR naming field, permission, bucket, container, dataset or table; SERVICE_UNAVAILABLE when
 *  the provider cannot be reached; errors of `claim` */
export async function checkSource(
  config: SourceConfig,
  sent: SentSource,
  claim: (externalId: string) => Promise<void>,
): Promise<Source> {
  if (isLocal(sent.provider, sent.settings)) {
    if (sent.credentials)
      throw invalid`${arg('credentials')} are not needed for a local folder or uploads${fix}leave the field out`;
    if (focusPlaceOf(sent.settings) === 'uploads') return uploadsOf(sent);
    const source = await checkFolder(focusRootOf(config.focusRoot, sent.organizationId), sent.settings);
    await claim(source.externalId);
    return source;
  }
  if (!sent.credentials)
    throw invalid`${arg('credentials')} are required for provider ${choice('provider', sent.provider)}${fix}see ${operation('GET /accounts/setup')}`;
  const spec = readConnection(sent.provider, { ...sent, credentials: sent.credentials }, config.clouds);
  const { externalId: stated } = readSettings(sent.provider, sent.settings, config.clouds);
  if (stated !== null) await claim(stated);
  const check = await lookAt(config, spec);
  const externalId = stated ?? check.externalId;
  if (stated === null) await claim(externalId);
  return { settings: spec.settings, credentials: spec.credentials, externalId, warnings: check.warnings };
}

/** Uploads belong only to their account. */
function uploadsOf({ accountId, settings }: SentSource): Source {
  refuseOthers('settings', settings, ['source'], 'uploads');
  return { settings: { source: 'uploads' }, credentials: null, externalId: `uploads://${accountId}`, warnings: [] };
}

async function checkFolder(focusRoot: string | null, given: SettingsFields): Promise<Source> {
  const { path } = given;
  if (typeof path !== 'string') throw invalid`${arg('settings.path')} is required for a folder under FOCUS_ROOT`;
  const stray = settingNames.find((name) => name !== 'path' && (given[name] ?? '') !== '');
  if (stray)
    throw invalid`${arg(`settings.${snakeOf(stray)}`)} is not valid for a local folder${fix}use ${mention('path')}`;
  const source = await openFocusFolder(focusRoot, path);
  await source.list(null, AbortSignal.timeout(30_000));
  const externalId = await realFocusPath(focusRoot, path);
  return { settings: { path: normalizeFocusPath(path) }, credentials: null, externalId, warnings: [] };
}

/** Merges changed settings: given ones are replaced, null clears, the rest is unchanged. A `focus` account that moves to
 *  another kind of store keeps none of the old settings. */
export function mergeSettings(provider: CloudProvider, old: SettingsFields, given: SettingsFields): SettingsFields {
  const places = ['source', 'path', 'bucket', 'storageAccount'] as const;
  const isMoved = provider === 'focus' && places.some((name) => Boolean(given[name]) && !old[name]);
  return isMoved ? given : { ...old, ...definedOf(given) };
}

function definedOf(given: SettingsFields): SettingsFields {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Returns whether the old credentials cannot apply to the new settings: another kind of store, or another vendor's. */
export function needsOtherCredentials(old: SettingsFields, changed: SettingsFields): boolean {
  const kind = ({ path, storageAccount, endpoint }: SettingsFields) =>
    path ? 'folder' : storageAccount ? 'container' : `bucket ${endpoint ?? ''}`;
  return kind(old) !== kind(changed);
}

/** Returns whether two accounts of a provider share charges: they are equal, one contains the other, or both bill the same
 *  subscriptions. */
export function overlaps(provider: CloudProvider, one: string, other: string): boolean {
  if (one === other) return true;
  if (provider === 'azure' && !one.startsWith('/') && !other.startsWith('/')) {
    const theirs = new Set(other.split(','));
    return one.split(',').some((id) => theirs.has(id));
  }
  // A root of '.' contains everything on the local disk, but nothing elsewhere.
  const isAddress = (id: string) => id.includes('://');
  if (isAddress(one) !== isAddress(other)) return false;
  const isInside = (inner: string, outer: string) => outer === '.' || inner.startsWith(`${outer}/`);
  return isInside(one, other) || isInside(other, one);
}
