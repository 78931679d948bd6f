import type { Connection } from './contract.ts';
import type { CloudEndpoints, ConnectionSpec } from './spec.ts';

/** Opens what connects an account. Nothing is asked of the provider yet. Each provider's SDKs are loaded when it is needed:
 *  they weigh tens of megabytes.
 *  @throws {AppError} VALIDATION_ERROR naming the setting that cannot be used */
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
