import { z } from 'zod';
import { type AzureManagement, azurePages } from './request.ts';

const pageShape = z.object({
  value: z.array(z.object({ subscriptionId: z.string(), displayName: z.string().nullish() })),
  nextLink: z.string().nullish(),
});

/** Names of the subscriptions that the service principal may see at all, by id in lower case.
 *  @throws as `azureRequest` */
export async function subscriptionNames(
  management: AzureManagement,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const request = { operation: 'subscriptions', path: '/subscriptions' } as const;
  for await (const page of azurePages(management, request, linkOf, signal))
    for (const { subscriptionId, displayName } of pageShape.safeParse(page).data?.value ?? [])
      names.set(subscriptionId.toLowerCase(), displayName ?? '');
  return names;
}

function linkOf(page: unknown): string | null {
  return pageShape.safeParse(page).data?.nextLink || null;
}
