import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { vi } from 'vitest';
import { awsInventory } from '../../../../src/providers/aws/inventory/source.ts';
import { type AwsSession, openSession } from '../../../../src/providers/aws/session.ts';
import type { InventoryItem } from '../../../../src/providers/contract.ts';
import { type AwsAnswers, type FakeAws, startFakeAws } from '../../../support/clouds/aws/fake.ts';
import { stsAnswers } from '../../../support/clouds/aws/identity.ts';

/** The result of a listing. */
export interface Listed {
  readonly items: InventoryItem[];
  readonly warnings: readonly string[];
  readonly unread: readonly string[];
  /** The list that contained each resource, by native id. */
  readonly lists: ReadonlyMap<string, string>;
  /** Items by native id. */
  readonly byId: ReadonlyMap<string, InventoryItem>;
}

const role = 'arn:aws:iam::123456789012:role/costkeep';
const externalId = 'external-id-of-the-organization';

/** A fake AWS that trusts the role, and an identity for the server to assume it. */
export function startAws(...answers: readonly AwsAnswers[]): Promise<FakeAws> {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIASERVER');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-of-the-server');
  return startFakeAws(Object.assign({}, stsAnswers({ roles: { [role]: externalId } }), ...answers));
}

/** A session of the role. */
export function sessionOf(fake: FakeAws): AwsSession {
  return openSession({
    credentials: { roleArn: role },
    trustExternalId: externalId,
    region: null,
    endpoints: { awsEndpoint: fake.url, s3Endpoint: null },
  });
}

/** Lists the inventory as the role, with the real SDK. */
export async function listAs(fake: FakeAws, signal = new AbortController().signal): Promise<Listed> {
  const session = sessionOf(fake);
  const items: InventoryItem[] = [];
  const lists = new Map<string, string>();
  const end = await awsInventory(session, null).list(async (page, list) => {
    items.push(...page);
    for (const { nativeId } of page) lists.set(nativeId, list);
  }, signal);
  return { items, lists, ...end, byId: new Map(items.map((item) => [item.nativeId, item])) };
}

const contracts = path.resolve(import.meta.dirname, '../../../../../shared/data/contracts/aws');

/** Whether the published AWS examples exist, next to the repository. */
export const hasExamples = existsSync(contracts);

/** The output of an operation in the examples of the CLI documentation. */
export function example(operation: string, index = 0): object {
  const text = readFileSync(path.join(contracts, `${operation}.json`), 'utf8');
  const { examples } = JSON.parse(text) as { examples: { output: object }[] };
  return examples[index]?.output ?? {};
}
