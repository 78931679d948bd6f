import type { CloudProvider } from '../../../prisma/generated/client/enums.ts';
import type { Config } from '../../kit/config.ts';
import { arg, choice, fix, invalid, mention, operation } from '../../kit/errors.ts';
import { settingNames, snake, type CredentialFields, type SettingsFields } from '../../providers/fields.ts';
import { openFocusFolder, realFocusPath } from '../../providers/focus/folder.ts';
import { focusPlaceOf } from '../../providers/focus/input.ts';
import { normalizeFocusPath } from '../../providers/focus/path.ts';
import { readConnection, readSettings } from '../../providers/input.ts';
import { lookAt } from './check.ts';

type SourceConfig = Pick<Config, 'clouds' | 'connectorEnvironment' | 'dataDir' | 'focusRoot'>;

/** What connects an account, as it was sent. */
export interface SentSource {
  readonly provider: CloudProvider;
  readonly credentials: CredentialFields | null;
  readonly settings: SettingsFields;
  readonly trustExternalId: string;
}

/** What is kept of it. */
export interface Source {
  readonly settings: object;
  /** To be encrypted; null: it needs none. */
  readonly credentials: object | null;
  /** What the provider calls it. */
  readonly externalId: string;
  /** What will be missing, a sentence each. */
  readonly warnings: readonly string[];
}

/** Whether the bills lie in a folder of the server, which needs no connection.
 *  @throws {AppError} VALIDATION_ERROR for a `focus` account that names no place, or two */
export function isLocal(provider: CloudProvider, settings: SettingsFields): boolean {
  return provider === 'focus' && focusPlaceOf(settings) === 'folder';
}

/** Reads what was sent and looks whether the bills can be read with it.
 *  @param claim is told what the account will be called, as soon as that is known; it throws when that is taken
 *  @throws {AppError} VALIDATION_ERROR naming field, permission, bucket, container, dataset or table; SERVICE_UNAVAILABLE
 *    when the provider cannot be reached; what `claim` throws */
export async function checkSource(
  config: SourceConfig,
  sent: SentSource,
  claim: (externalId: string) => Promise<void>,
): Promise<Source> {
  if (isLocal(sent.provider, sent.settings)) {
    if (sent.credentials)
      throw invalid`${arg('credentials')} are not needed for a local folder${fix}leave the field out`;
    const source = await checkFolder(config, sent.settings);
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

async function checkFolder(config: SourceConfig, given: SettingsFields): Promise<Source> {
  const { path } = given;
  if (typeof path !== 'string') throw invalid`${arg('settings.path')} is required for a folder below FOCUS_ROOT`;
  const stray = settingNames.find((name) => name !== 'path' && (given[name] ?? '') !== '');
  if (stray)
    throw invalid`${arg(`settings.${snake(stray)}`)} is not valid for a local folder${fix}use ${mention('path')}`;
  const source = await openFocusFolder(config.focusRoot, path);
  await source.list(null, AbortSignal.timeout(30_000));
  const externalId = await realFocusPath(config.focusRoot, path);
  return { settings: { path: normalizeFocusPath(path) }, credentials: null, externalId, warnings: [] };
}

/** Settings as a change leaves them: what it names is replaced, null clears, and the rest stays. A `focus` account that is
 *  sent another kind of place keeps nothing of the old one. */
export function mergeSettings(provider: CloudProvider, old: SettingsFields, given: SettingsFields): SettingsFields {
  const places = ['path', 'bucket', 'storageAccount'] as const;
  const isMoved = provider === 'focus' && places.some((name) => Boolean(given[name]) && !old[name]);
  return isMoved ? given : { ...old, ...definedOf(given) };
}

function definedOf(given: SettingsFields): SettingsFields {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Whether credentials for the old settings cannot be those for the new ones: another kind of store, or another vendor's. */
export function needsOtherCredentials(old: SettingsFields, changed: SettingsFields): boolean {
  const kind = ({ path, storageAccount, endpoint }: SettingsFields) =>
    path ? 'folder' : storageAccount ? 'container' : `bucket ${endpoint ?? ''}`;
  return kind(old) !== kind(changed);
}

/** Whether two accounts of a provider share charges: they are one, or one lies inside the other, or bills what the other
 *  bills too. */
export function overlaps(provider: CloudProvider, one: string, other: string): boolean {
  if (one === other) return true;
  if (provider === 'azure' && !one.startsWith('/') && !other.startsWith('/')) {
    const theirs = new Set(other.split(','));
    return one.split(',').some((id) => theirs.has(id));
  }
  // Everything on the local disk is inside the root; what lies elsewhere is not.
  const isAddress = (id: string) => id.includes('://');
  if (isAddress(one) !== isAddress(other)) return false;
  const isInside = (inner: string, outer: string) => outer === '.' || inner.startsWith(`${outer}/`);
  return isInside(one, other) || isInside(other, one);
}
