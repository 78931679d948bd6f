import type { CloudProvider } from '../../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../../kit/deps.ts';
import { guideOf } from '../../../providers/guide/guide.ts';
import type { Guide, SentNames } from '../../../providers/guide/names.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { readTrustExternalId } from '../store.ts';

/** What to do at a provider before its account is connected. */
export interface AccountSetup extends Guide {
  readonly provider: CloudProvider;
  /** For AWS: the organization's own external id. */
  readonly trustExternalId: string | null;
}

/** The guide of a provider, filled in with names and with the organization's own external id for AWS.
 *  @throws {AppError} VALIDATION_ERROR naming a name that the provider would not take */
export async function setupOf(
  deps: Pick<Deps, 'db' | 'config'>,
  scope: OrgScope,
  provider: CloudProvider,
  names: SentNames,
): Promise<AccountSetup> {
  const trustExternalId = await readTrustExternalId(deps.db, scope);
  const guide = guideOf(provider, names, { endpoints: deps.config.clouds, trustExternalId });
  return { ...guide, provider, trustExternalId: provider === 'aws' ? trustExternalId : null };
}
