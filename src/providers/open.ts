import type { Connection } from './contract.ts';
import type { CloudEndpoints, ConnectionSpec } from './spec.ts';

/** Opens a connection. Sends no request yet. Imports only the provider's SDKs, which have tens of megabytes.
 *  @throws {AppError} VALIDATION_ERROR naming the invalid setting */
export async function openConnection(spec: ConnectionSpec, endpoints: CloudEndpoints): Promise<Connection> {
  switch (spec.provider) {
    case 'aws':
      return (await import('./aws/open.ts')).openAws(spec, endpoints);
    case 'azure':
      return (await import('./azure/open.ts')).openAzure(spec, endpoints);
    case 'gcp':
      return (await import('./gcp/open.ts')).openGcp(spec, endpoints);
    case 'focus':
      return (await import('./focus/open.ts')).openFocusStorage(spec, endpoints);
  }
}
