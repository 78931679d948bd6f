import { createVirtualTag, pageVirtualTags, type VirtualTagInput } from '../../facts/allocation/virtual-tags.ts';
import type { Deps } from '../../kit/deps.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';

/** The sample organization's teams: from tags, otherwise by service, charge category and commitment. The teams share the platform
 *  team's cost by their orders.
 *  @param orders id of the unit metric; null: in proportion to their own costs */
const demoVirtualTags = (orders: string | null): readonly VirtualTagInput[] => [
  {
    key: 'team',
    name: 'Team',
    description: 'The team that a charge belongs to, with or without a tag.',
    rules: [
      { valueFrom: { dimension: 'tag:team', transform: 'lower' } },
      { value: 'storefront', conditions: [{ dimension: 'tag:application', operator: 'in', values: ['web-shop'] }] },
      { value: 'orders', conditions: [{ dimension: 'tag:application', operator: 'in', values: ['order-service'] }] },
      { value: 'data-platform', conditions: [{ dimension: 'tag:application', operator: 'in', values: ['warehouse'] }] },
      {
        value: 'platform',
        conditions: [
          {
            dimension: 'service',
            operator: 'contains',
            values: ['Support', 'GuardDuty', 'Networking', 'Bandwidth', 'Cloud Logging'],
          },
        ],
      },
      {
        value: 'platform',
        conditions: [{ dimension: 'charge_category', operator: 'in', values: ['tax', 'purchase'] }],
      },
      { value: 'platform', conditions: [{ dimension: 'commitment', operator: 'exists' }] },
    ],
    splits: [
      {
        name: 'Shared platform',
        sourceValues: ['platform'],
        ...(orders === null ? { method: 'proportional' } : { method: 'metric', metricId: orders }),
      },
    ],
  },
];

/** Creates the sample's virtual tags in an organization without any.
 *  @param orders id of the unit metric that splits use, if there is one */
export async function writeVirtualTags(
  deps: Pick<Deps, 'db' | 'clock' | 'queue'>,
  viewer: Viewer,
  actor: Actor,
  orders: string | null,
): Promise<void> {
  const { total } = await pageVirtualTags(deps, viewer.scope, {}, { skip: 0, take: 1, select: { id: true } });
  if (total > 0) return;
  for (const tag of demoVirtualTags(orders)) await createVirtualTag(deps, viewer, actor, tag);
}
