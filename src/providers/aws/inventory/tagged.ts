import { GetResourcesCommand, ResourceGroupsTaggingAPIClient } from '@aws-sdk/client-resource-groups-tagging-api';
import type { InventoryItem } from '../../contract.ts';
import type { Asking } from './asking.ts';
import { parseArn } from './arn.ts';
import { itemOfArn, tagsOf } from './item.ts';
import type { Kind } from './ledger.ts';
import { pagesOf } from './pages.ts';

/** The second way to resources and their tags. */
export const taggedKind = { label: 'tagged resources', list: 'tagged', isRegional: true } as const satisfies Kind;

/** Resources of a region that have tags, or had some once. What is in no region is answered in the partition's main one. */
export async function* readTagged({ session, place, signal }: Asking): AsyncGenerator<InventoryItem[]> {
  const client = session.client(ResourceGroupsTaggingAPIClient, place.region);
  const pages = pagesOf(
    'Resource Groups Tagging GetResources',
    (PaginationToken) =>
      client.send(new GetResourcesCommand({ ResourcesPerPage: 100, PaginationToken }), { abortSignal: signal }),
    (page) => ({ items: page.ResourceTagMappingList, next: page.PaginationToken }),
  );
  for await (const page of pages)
    yield page.flatMap(({ ResourceARN = '', Tags }) => {
      const arn = parseArn(ResourceARN);
      if (arn === null) return [];
      // The ARN of a bucket does not tell its region; that of a distribution has none to tell.
      const region = arn.region || (arn.service === 's3' ? place.region : 'global');
      return [itemOfArn(arn, { tags: tagsOf(Tags), region })];
    });
}
