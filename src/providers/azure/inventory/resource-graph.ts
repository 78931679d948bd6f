import { z } from 'zod';
import { fix, invalid } from '../../../kit/errors/errors.ts';
import { followPages } from '../../faults.ts';
import { type AzureManagement, azureRequest } from '../request.ts';

const pageSize = 1000;
/** Maximum subscriptions per query. */
const maxSubscriptions = 1000;
const maxPages = 5_000;

const text = z.string().nullish().catch(null);
const number = z.number().nullish().catch(null);
/** Nested references of a resource, as in Resource Graph. */
const list = z.array(z.unknown()).nullish().catch(null);

/** A resource as projected by the query below. */
const rowShape = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  location: text,
  kind: text,
  tags: z.record(z.string(), z.unknown()).nullish().catch(null),
  sku: z.object({ name: text }).nullish().catch(null),
  managedBy: text,
  createdAt: text,
  state: text,
  stateSince: text,
  sizeGib: number,
  iops: number,
  throughput: number,
  vmSize: text,
  osType: text,
  scaleSet: text,
  licenseType: text,
  version: text,
  usedBy: text,
  sourceId: text,
  siteCount: number,
  pools: list,
  rules: list,
  children: list,
  parentId: text,
  secondParentId: text,
  retentionDays: number,
  zoneRedundant: z.boolean().nullish().catch(null),
});

/** A resource from Resource Graph; absent fields are unknown. */
export type GraphRow = z.infer<typeof rowShape>;

const pageShape = z.object({
  data: z.array(z.unknown()),
  // The API returns it as text.
  resultTruncated: z.union([z.string(), z.boolean()]).nullish(),
  $skipToken: z.string().nullish(),
});

/** Projects every field by name: all of `properties` would include configuration, and with it secrets. Ordered by `id`, without
 *  which pages are unstable. Similar properties share a name: `usedBy` is for an address or for a gateway that serves a whole
 *  network. */
export const resourceQuery = `Resources
| extend t = tolower(type), p = properties
| project id, name, type = t, location, kind, tags, sku, managedBy,
  createdAt = tostring(coalesce(p.timeCreated, p.creationTime, p.creationDate)),
  state = tostring(coalesce(p.diskState, p.extended.instanceView.powerState.code, p.serviceProviderProvisioningState)),
  stateSince = tostring(p.LastOwnershipUpdateTime),
  sizeGib = toint(p.diskSizeGB),
  iops = toint(p.diskIOPSReadWrite),
  throughput = toint(p.diskMBpsReadWrite),
  vmSize = tostring(p.hardwareProfile.vmSize),
  osType = tostring(coalesce(p.storageProfile.osDisk.osType, p.osType)),
  scaleSet = tostring(p.virtualMachineScaleSet.id),
  licenseType = tostring(coalesce(p.licenseType, p.sqlServerLicenseType)),
  version = tostring(p.version),
  usedBy = tostring(coalesce(p.ipConfiguration.id, p.natGateway.id, p.sourceVirtualNetwork.id)),
  sourceId = tostring(p.creationData.sourceResourceId),
  siteCount = toint(p.numberOfSites),
  pools = iff(t in ('microsoft.network/loadbalancers', 'microsoft.network/applicationgateways'), p.backendAddressPools, dynamic(null)),
  rules = iff(t == 'microsoft.network/loadbalancers', p.inboundNatRules, dynamic(null)),
  children = case(t == 'microsoft.network/natgateways', p.subnets, t == 'microsoft.network/ddosprotectionplans', p.virtualNetworks, dynamic(null)),
  parentId = tostring(coalesce(p.elasticPoolId, p.virtualNetworkGateway1.id)),
  secondParentId = tostring(p.virtualNetworkGateway2.id),
  retentionDays = toint(p.retentionInDays),
  zoneRedundant = tobool(p.zoneRedundant)
| order by id asc`;

/** Returns every resource that the service principal may read, page by page.
 *  @param subscriptions ids, at least one
 *  @throws as `azureRequest`; VALIDATION_ERROR when paging never ends, or Azure truncates a response */
export async function* graphPages(
  management: AzureManagement,
  subscriptions: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<GraphRow[]> {
  for (let from = 0; from < subscriptions.length; from += maxSubscriptions)
    yield* pagesOf(management, subscriptions.slice(from, from + maxSubscriptions), signal);
}

async function* pagesOf(
  management: AzureManagement,
  subscriptions: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<GraphRow[]> {
  const page = (token: string | null = null) =>
    ask(management, { subscriptions, query: resourceQuery, top: pageSize, token }, signal);
  const endless = () => invalid`Azure Resource Graph returned the same page twice (endless paging)${fix}sync again`;
  for await (const { rows } of followPages(page, ({ next }) => next, maxPages, endless)) yield rows;
}

async function ask(
  management: AzureManagement,
  {
    subscriptions,
    query,
    top,
    token,
  }: { subscriptions: readonly string[]; query: string; top: number; token: string | null },
  signal: AbortSignal,
): Promise<{ rows: GraphRow[]; next: string | null }> {
  const body = {
    ...(subscriptions.length === 0 ? {} : { subscriptions }),
    query,
    options: { resultFormat: 'objectArray', $top: top, ...(token === null ? {} : { $skipToken: token }) },
  };
  const path = '/providers/Microsoft.ResourceGraph/resources';
  const parsed = pageShape.safeParse(await azureRequest(management, { operation: 'resources', path, body }, signal));
  if (!parsed.success) throw invalid`Azure Resource Graph returned an unknown response format`;
  const { data, resultTruncated, $skipToken } = parsed.data;
  const next = $skipToken || null;
  if (next === null && String(resultTruncated) === 'true')
    throw invalid`Azure Resource Graph truncated its result${fix}give the service principal fewer subscriptions to read`;
  return { rows: data.flatMap((row) => rowShape.safeParse(row).data ?? []), next };
}

/** Checks whether resources can be listed.
 *  @throws as `azureRequest` */
export async function probeGraph(
  management: AzureManagement,
  subscriptions: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const query = 'Resources | project id, name, type | order by id asc';
  await ask(
    management,
    { subscriptions: subscriptions.slice(0, maxSubscriptions), query, top: 1, token: null },
    signal,
  );
}
