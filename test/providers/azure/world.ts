import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '../../../src/kit/config.ts';
import type { AzureSettings, CloudEndpoints } from '../../../src/providers/spec.ts';
import type { FakeAzure } from '../../support/clouds/azure/cloud.ts';

/** Subscription of the published examples. */
export const subscription = 'cfbbd179-59d2-4052-aa06-9270a38aa9d6';

/** The public cloud's endpoints, but Azure's: those are the fakes'. */
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

/** Settings that name nothing but a subscription. */
export function settings(over: Partial<AzureSettings> = {}): AzureSettings {
  const none = { billingScope: null, storageAccount: null, container: null, prefix: '' };
  return { subscriptionIds: [subscription], ...none, ...over };
}

/** A signal that nobody pulls. */
export const idle = new AbortController().signal;

const contracts = path.resolve(import.meta.dirname, '../../../../shared/data/contracts/azure');
/** Whether the examples that Microsoft publishes are beside the repository. */
export const hasContracts = existsSync(contracts);

/** What a published example answers with 200. */
export function published(name: string): unknown {
  const example = JSON.parse(readFileSync(path.join(contracts, `${name}.json`), 'utf8'));
  return example.responses['200'].body;
}
