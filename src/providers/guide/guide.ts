import type { CloudEndpoints, ConnectionSpec } from '../spec.ts';
import { awsGuide } from '../aws/guide.ts';
import { azureGuide } from '../azure/guide.ts';
import { focusGuide } from '../focus/guide.ts';
import { gcpGuide } from '../gcp/guide.ts';
import { type Guide, readNames, type SentNames } from './names.ts';

/** What to do at a provider before an account is connected, with the user's own names filled in; those that were not given
 *  stay placeholders in capitals.
 *  @param trustExternalId the organization's, for AWS roles
 *  @throws {AppError} VALIDATION_ERROR naming a name that the provider would not take */
export function guideOf(
  provider: ConnectionSpec['provider'],
  sent: SentNames,
  { endpoints, trustExternalId }: { endpoints: CloudEndpoints; trustExternalId: string },
): Guide {
  const names = readNames(sent);
  switch (provider) {
    case 'aws':
      return awsGuide(names, { principal: endpoints.awsPrincipal, trustExternalId });
    case 'azure':
      return azureGuide(names);
    case 'gcp':
      return gcpGuide(names);
    case 'focus':
      return focusGuide(names, endpoints);
  }
}
