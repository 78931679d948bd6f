import { fromNodeProviderChain } from '@aws-sdk/credential-providers';

const limitMs = 1000;
const keptMs = 60_000;

let known: { readonly has: Promise<boolean>; readonly until: number } | null = null;

/** Whether the server has an AWS identity to assume roles with: keys in its environment, or an instance or task role. The
 *  result is cached for a minute: without an identity, each check waits for the timeout of the metadata service. */
export function hasAwsIdentity(now = Date.now()): Promise<boolean> {
  if (known === null || now > known.until) known = { has: ask(), until: now + keptMs };
  return known.has;
}

async function ask(): Promise<boolean> {
  try {
    await fromNodeProviderChain({ timeout: limitMs, maxRetries: 0 })();
    return true;
  } catch {
    return false;
  }
}
