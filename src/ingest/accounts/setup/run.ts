import type { CloudProvider } from '../../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../../kit/deps.ts';
import { guideOf } from '../../../providers/guide/guide.ts';
import type { Guide, SentNames } from '../../../providers/guide/names.ts';
import { hasAwsIdentity } from '../../../providers/aws/identity.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { readTrustExternalId } from '../store.ts';

/** Setup instructions for a provider. */
export interface AccountSetup extends Guide {
  readonly provider: CloudProvider;
  /** For AWS: the organization's external id. */
  readonly trustExternalId: string | null;
  /** Ways to connect that this server cannot offer. */
  readonly obstacles: readonly Obstacle[];
}

/** A field of `POST /accounts` that the server would refuse as it is configured. */
interface Obstacle {
  readonly field: string;
  readonly reason: string;
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
  const obstacles = await obstaclesOf(deps, provider);
  return { ...guide, provider, trustExternalId: provider === 'aws' ? trustExternalId : null, obstacles };
}

async function obstaclesOf({ config }: Pick<Deps, 'config'>, provider: CloudProvider): Promise<Obstacle[]> {
  const isFolder = provider === 'focus' && config.focusRoot === null;
  const isRole = (provider === 'aws' || provider === 'focus') && !(await hasAwsIdentity());
  return [
    ...(isFolder
      ? [
          {
            field: 'settings.path',
            reason: 'The operator has not set FOCUS_ROOT, the folder of FOCUS files on the server.',
          },
        ]
      : []),
    ...(isRole
      ? [
          {
            field: 'credentials.role_arn',
            reason:
              'The server has no AWS identity to assume roles with. The operator can give it an instance or task role, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
          },
        ]
      : []),
  ];
}
