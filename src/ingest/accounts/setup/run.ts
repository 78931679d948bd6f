import type { CloudProvider } from '../../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../../kit/deps.ts';
import { guideOf } from '../../../providers/guide/guide.ts';
import type { Guide, SentNames } from '../../../providers/guide/names.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { readTrustExternalId } from '../store.ts';

/** Setup instructions for a provider. */
export interface AccountSetup extends Guide {
  readonly provider: CloudProvider;
  /** For AWS: the organization's external id. */
  readonly trustExternalId: string | null;
}

/** Returns a provider's guide, filled in with names and, for AWS, the organization's external id.
 *  @throws {AppError} VALIDATION_ERROR for a name that the provider would reject */
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
