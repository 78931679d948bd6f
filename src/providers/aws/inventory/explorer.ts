import {
  GetDefaultViewCommand,
  GetViewCommand,
  type Index,
  ListIndexesCommand,
  ListViewsCommand,
  ResourceExplorer2Client,
} from '@aws-sdk/client-resource-explorer-2';
import { AwsFault } from '../faults.ts';
import type { AwsSession } from '../session.ts';
import { type Kind, type Ledger, listIn } from './ledger.ts';
import { allPages } from './pages.ts';

/** A view of Resource Explorer that resources can be listed through. */
export interface View {
  readonly arn: string;
  /** Where it is asked. */
  readonly region: string;
  /** Whether what it answers has the resources' tags. */
  readonly hasTags: boolean;
}

/** Which view speaks for which region. */
export interface Explorer {
  /** Null: no index covers the region.
   *  @param region `global` for what is in none */
  viewOf(region: string): View | null;
}

/** The list of what an index names. */
export const exploredList = 'explored';

const hides = listIn('.+', exploredList);
const indexes: Kind = { label: 'what Resource Explorer has indexed', isRegional: true, hides };
const views: Kind = { label: 'what Resource Explorer has a view of', hides };
const noView = /^(ResourceNotFoundException|UnauthorizedException|ValidationException)$/;

/** Finds the views: the aggregator index's, which speaks for all regions that have an index; else each region's own. */
export async function findExplorer(session: AwsSession, ledger: Ledger, signal: AbortSignal): Promise<Explorer> {
  const home = session.partition.mainRegion;
  const found = (await ledger.read(indexes, home, () => readIndexes(session, signal))) ?? [];
  const aggregator = found.find(({ Type }) => Type === 'AGGREGATOR')?.Region;
  const regions = found.flatMap(({ Region }) => Region ?? []);
  const asked = aggregator === undefined ? regions : [aggregator];
  const byRegion = new Map<string, View>();
  for (const region of asked) {
    const view = await ledger.read(views, region, () => readView({ session, region, ledger, signal }));
    if (view) byRegion.set(region, view);
  }
  const global = byRegion.get(aggregator ?? home) ?? null;
  return {
    viewOf(region) {
      if (region === 'global') return global;
      return regions.includes(region) ? (byRegion.get(aggregator ?? region) ?? null) : null;
    },
  };
}

async function readIndexes(session: AwsSession, signal: AbortSignal): Promise<Index[]> {
  const client = session.client(ResourceExplorer2Client);
  return allPages(
    'Resource Explorer ListIndexes',
    (NextToken) => client.send(new ListIndexesCommand({ MaxResults: 100, NextToken }), { abortSignal: signal }),
    (page) => ({ items: page.Indexes, next: page.NextToken }),
  );
}

interface Asking {
  readonly session: AwsSession;
  readonly region: string;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
}

/** The region's default view, or the first that is there. */
async function readView({ session, region, ledger, signal }: Asking): Promise<View | null> {
  const client = session.client(ResourceExplorer2Client, region);
  const arn =
    (await defaultView(client, signal)) ??
    (await client.send(new ListViewsCommand({ MaxResults: 20 }), { abortSignal: signal })).Views?.[0];
  if (!arn) return null;
  const { View: view } = await client.send(new GetViewCommand({ ViewArn: arn }), { abortSignal: signal });
  const filter = view?.Filters?.FilterString?.trim();
  if (filter)
    ledger.note(
      `The inventory lacks what the filter "${filter}" of Resource Explorer's view ${nameOf(arn)} (${region}) leaves out: ` +
        `make a view without a filter the default of ${region} to have all.`,
    );
  return { arn, region, hasTags: view?.IncludedProperties?.some(({ Name }) => Name === 'tags') ?? false };
}

async function defaultView(client: ResourceExplorer2Client, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await client.send(new GetDefaultViewCommand({}), { abortSignal: signal })).ViewArn;
  } catch (error) {
    // Having none is answered as an error.
    if (error instanceof AwsFault && noView.test(error.code)) return undefined;
    throw error;
  }
}

/** `arn:aws:resource-explorer-2:us-east-1:123456789012:view/all/EXAMPLE8` is called `all`. */
function nameOf(arn: string): string {
  return arn.split('/')[1] ?? arn;
}
