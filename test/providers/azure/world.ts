import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '../../../src/kit/config/config.ts';
import type { AzureSettings, CloudEndpoints } from '../../../src/providers/spec.ts';
import type { FakeAzure } from '../../support/clouds/azure/cloud.ts';

/** The subscription of the published examples. */
export const subscription = 'cfbbd179-59d2-4052-aa06-9270a38aa9d6';

/** The endpoints of the public cloud, but those of the fakes for Azure. */
export function endpointsOf(fake: FakeAzure, blobEndpoint = `${fake.url}/{account}`): CloudEndpoints {
  const { clouds } = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgresql://localhost/none',
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    JWT_SECRET: 'x'.repeat(64),
  });
  return {
    ...clouds,
    azureLoginEndpoint: fake.url,
    azureManagementEndpoint: fake.url,
    azureBlobEndpoint: blobEndpoint,
  };
}

/** Settings with only a subscription. */
export function settings(over: Partial<AzureSettings> = {}): AzureSettings {
  const none = { billingScope: null, storageAccount: null, container: null, prefix: '' };
  return { subscriptionIds: [subscription], ...none, ...over };
}

/** A signal that is never aborted. */
export const idle = new AbortController().signal;

const contracts = path.resolve(import.meta.dirname, '../../../../shared/data/contracts/azure');
/** Whether Microsoft's published examples exist, next to the repository. */
export const hasContracts = existsSync(contracts);

/** The 200 response of a published example. */
export function published(name: string): unknown {
  const example = JSON.parse(readFileSync(path.join(contracts, `${name}.json`), 'utf8'));
  return example.responses['200'].body;
}
