import type { CloudEndpoints, ConnectionSpec } from '../spec.ts';
import { awsGuide } from '../aws/guide.ts';
import { azureGuide } from '../azure/guide.ts';
import { focusGuide } from '../focus/guide.ts';
import { gcpGuide } from '../gcp/guide.ts';
import { type Guide, readNames, type SentNames } from './names.ts';

/** Returns the setup instructions of a provider, filled in with the user's names; missing ones are placeholders in capitals.
 *  @param trustExternalId of the organization, for AWS roles
 *  @throws {AppError} VALIDATION_ERROR for a name that the provider would reject */
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
